// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/segmentation_cloud.hpp"

#include <array>
#include <cstring>

namespace pointtree::perception {
namespace {

/// Colours of points without a class.
constexpr std::array<std::uint8_t, 3> kGroundColour = {110, 100, 90};
constexpr std::array<std::uint8_t, 3> kUnknownColour = {160, 160, 160};

/// Little endian on every machine.
void store(std::uint8_t* to, std::uint32_t bits) {
  for (int byte = 0; byte < 4; ++byte) to[byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
}

void store(std::uint8_t* to, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  store(to, bits);
}

void store_position(std::uint8_t* point, const CloudView& cloud, std::size_t index) {
  const Eigen::Vector3f position = cloud.position(index).cast<float>();
  for (int axis = 0; axis < 3; ++axis) store(point + 4 * axis, position[axis]);
}

std::array<std::uint8_t, 3> colour_of(const PointLabel& label, const inference::EngineInfo& model) {
  if (label.class_id < model.colours.size()) return model.colours[label.class_id];
  return label.role == PointRole::ground ? kGroundColour : kUnknownColour;
}

}  // namespace

std::vector<io::PointField> segmentation_fields() {
  return {{"x", 0, io::ScalarType::float32},
          {"y", 4, io::ScalarType::float32},
          {"z", 8, io::ScalarType::float32},
          {"class_id", 12, io::ScalarType::uint8},
          {"probability", 16, io::ScalarType::float32},
          {"entropy", 20, io::ScalarType::float32}};
}

std::vector<std::uint8_t> encode_segmentation(const CloudView& cloud, const FrameResult& result) {
  std::vector<std::uint8_t> bytes(cloud.size() * kSegmentationPointStep, 0);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    std::uint8_t* point = bytes.data() + i * kSegmentationPointStep;
    const PointLabel& label = result.labels[i];
    store_position(point, cloud, i);
    point[12] = label.class_id;
    store(point + 16, label.probability);
    store(point + 20, label.entropy);
  }
  return bytes;
}

std::vector<io::PointField> visualization_fields() {
  return {{"x", 0, io::ScalarType::float32},
          {"y", 4, io::ScalarType::float32},
          {"z", 8, io::ScalarType::float32},
          {"rgb", 12, io::ScalarType::float32}};
}

std::vector<std::uint8_t> encode_visualization(const CloudView& cloud, const FrameResult& result,
                                               const inference::EngineInfo& model) {
  std::vector<std::uint8_t> bytes(cloud.size() * kVisualizationPointStep);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    std::uint8_t* point = bytes.data() + i * kVisualizationPointStep;
    store_position(point, cloud, i);
    const auto [red, green, blue] = colour_of(result.labels[i], model);
    store(point + 12, std::uint32_t{red} << 16 | std::uint32_t{green} << 8 | blue);
  }
  return bytes;
}

}  // namespace pointtree::perception

#include "pointtree/perception/segmentation_cloud.hpp"

#include <cstring>

namespace pointtree::perception {
namespace {

/// Little endian on every machine.
void store(std::uint8_t* to, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  for (int byte = 0; byte < 4; ++byte) to[byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
}

}  // namespace

std::vector<CloudField> segmentation_fields() {
  return {{"x", 0, FieldType::float32},
          {"y", 4, FieldType::float32},
          {"z", 8, FieldType::float32},
          {"class_id", 12, FieldType::uint8},
          {"probability", 16, FieldType::float32},
          {"entropy", 20, FieldType::float32}};
}

std::vector<std::uint8_t> encode_segmentation(const CloudView& cloud, const FrameResult& result) {
  std::vector<std::uint8_t> bytes(cloud.size() * kSegmentationPointStep, 0);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    std::uint8_t* point = bytes.data() + i * kSegmentationPointStep;
    const Eigen::Vector3f position = cloud.position(i).cast<float>();
    const PointLabel& label = result.labels[i];
    for (int axis = 0; axis < 3; ++axis) store(point + 4 * axis, position[axis]);
    point[12] = label.class_id;
    store(point + 16, label.probability);
    store(point + 20, label.entropy);
  }
  return bytes;
}

}  // namespace pointtree::perception

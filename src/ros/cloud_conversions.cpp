// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "pointtree/perception/segmentation_cloud.hpp"
#include "pointtree/ros/conversions.hpp"

namespace pointtree::ros {
namespace {

using perception::FieldReader;

/// A cloud of the same shape, header and point order, still without points.
std::unique_ptr<PointCloud2> same_shape(const PointCloud2& message,
                                        const std::vector<perception::CloudField>& fields,
                                        std::uint32_t point_step) {
  auto cloud = std::make_unique<PointCloud2>();
  cloud->header = message.header;
  cloud->height = message.height;
  cloud->width = message.width;
  for (const perception::CloudField& field : fields) {
    sensor_msgs::msg::PointField described;
    described.name = field.name;
    described.offset = field.offset;
    described.datatype = static_cast<std::uint8_t>(field.type);
    described.count = field.count;
    cloud->fields.push_back(described);
  }
  cloud->is_bigendian = false;
  cloud->point_step = point_step;
  cloud->row_step = point_step * message.width;
  cloud->is_dense = message.is_dense;
  return cloud;
}

/// Stores a number in the type and byte order of the field it replaces.
template <typename T>
void store(std::uint8_t* to, double value, bool swapped) {
  const auto number = static_cast<T>(value);
  std::array<std::uint8_t, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &number, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  std::memcpy(to, bytes.data(), sizeof(T));
}

}  // namespace

perception::RawCloud raw_cloud(const PointCloud2& message) {
  perception::RawCloud cloud;
  cloud.height = message.height;
  cloud.width = message.width;
  for (const auto& field : message.fields) {
    cloud.fields.push_back(
        {field.name, field.offset, perception::FieldType{field.datatype}, field.count});
  }
  cloud.is_bigendian = message.is_bigendian;
  cloud.point_step = message.point_step;
  cloud.row_step = message.row_step;
  cloud.data = message.data.data();
  cloud.size = message.data.size();
  return cloud;
}

std::int64_t nanoseconds(const std_msgs::msg::Header& header) {
  return std::int64_t{header.stamp.sec} * 1'000'000'000 + header.stamp.nanosec;
}

PointCloud2 transformed_cloud(const PointCloud2& message, const perception::CloudView& view,
                              const Eigen::Isometry3d& transform, const std::string& frame) {
  PointCloud2 moved = message;
  moved.header.frame_id = frame;
  const std::array<FieldReader, 3> axes = {*view.field("x"), *view.field("y"), *view.field("z")};
  for (std::size_t i = 0; i < view.size(); ++i) {
    const Eigen::Vector3d position = transform * view.position(i);
    std::uint8_t* point = moved.data.data() + (view.address(i) - message.data.data());
    for (int axis = 0; axis < 3; ++axis) {
      const FieldReader& field = axes[static_cast<std::size_t>(axis)];
      if (field.type == perception::FieldType::float64) {
        store<double>(point + field.offset, position[axis], field.swapped);
      } else {
        store<float>(point + field.offset, position[axis], field.swapped);
      }
    }
  }
  return moved;
}

std::unique_ptr<PointCloud2> to_segmentation(const PointCloud2& message,
                                             const perception::CloudView& view,
                                             const perception::FrameResult& result) {
  auto cloud =
      same_shape(message, perception::segmentation_fields(), perception::kSegmentationPointStep);
  cloud->data = perception::encode_segmentation(view, result);
  return cloud;
}

std::unique_ptr<PointCloud2> to_visualization(const PointCloud2& message,
                                              const perception::CloudView& view,
                                              const perception::FrameResult& result,
                                              const inference::EngineInfo& model) {
  auto cloud =
      same_shape(message, perception::visualization_fields(), perception::kVisualizationPointStep);
  cloud->data = perception::encode_visualization(view, result, model);
  return cloud;
}

std::unique_ptr<PointCloud2> to_filtered(
    const PointCloud2& message, const perception::CloudView& view,
    const perception::FrameResult& result,
    const std::function<bool(const perception::PointLabel&)>& keep) {
  auto cloud = std::make_unique<PointCloud2>();
  cloud->header = message.header;
  cloud->height = 1;
  cloud->fields = message.fields;
  cloud->is_bigendian = message.is_bigendian;
  cloud->point_step = message.point_step;
  cloud->is_dense = true;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (!keep(result.labels[i])) continue;
    cloud->data.insert(cloud->data.end(), view.address(i), view.address(i) + message.point_step);
    ++cloud->width;
  }
  cloud->row_step = cloud->point_step * cloud->width;
  return cloud;
}

}  // namespace pointtree::ros

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/segmentation_cloud.hpp"
#include "pointtree/ros/conversions.hpp"

namespace pointtree::ros {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  ///< nanoseconds

/// A cloud of the same shape and point order, still without points.
std::unique_ptr<PointCloud2> same_shape(const std_msgs::msg::Header& header,
                                        const PointCloud2& message,
                                        const std::vector<io::PointField>& fields,
                                        std::uint32_t point_step) {
  auto cloud = std::make_unique<PointCloud2>();
  cloud->header = header;
  cloud->height = message.height;
  cloud->width = message.width;
  for (const io::PointField& field : fields) {
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

}  // namespace

io::PointCloud2Message raw_cloud(const PointCloud2& message) {
  io::PointCloud2Message cloud;
  cloud.height = message.height;
  cloud.width = message.width;
  for (const auto& field : message.fields) {
    cloud.fields.push_back({field.name, field.offset, io::ScalarType{field.datatype}, field.count});
  }
  cloud.is_bigendian = message.is_bigendian;
  cloud.point_step = message.point_step;
  cloud.row_step = message.row_step;
  cloud.data = message.data;
  return cloud;
}

std::int64_t nanoseconds(const builtin_interfaces::msg::Time& time) {
  return time.sec * kSecond + time.nanosec;
}

builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds) {
  builtin_interfaces::msg::Time time;
  time.sec = static_cast<std::int32_t>(nanoseconds / kSecond);
  time.nanosec = static_cast<std::uint32_t>(nanoseconds % kSecond);
  return time;
}

std::unique_ptr<PointCloud2> to_segmentation(
    const std_msgs::msg::Header& header, const PointCloud2& message,
    const perception::CloudView& view, const perception::FrameResult& result,
    const std::function<std::uint8_t(const perception::PointLabel&)>& class_id) {
  auto cloud = same_shape(header, message, perception::segmentation_fields(),
                          perception::kSegmentationPointStep);
  cloud->data = perception::encode_segmentation(view, result);
  if (!class_id) return cloud;
  const std::uint32_t offset = cloud->fields[3].offset;
  for (std::size_t i = 0; i < result.labels.size(); ++i)
    cloud->data[i * cloud->point_step + offset] = class_id(result.labels[i]);
  return cloud;
}

std::unique_ptr<PointCloud2> to_visualization(const std_msgs::msg::Header& header,
                                              const PointCloud2& message,
                                              const perception::CloudView& view,
                                              const perception::FrameResult& result,
                                              const inference::EngineInfo& model) {
  auto cloud = same_shape(header, message, perception::visualization_fields(),
                          perception::kVisualizationPointStep);
  cloud->data = perception::encode_visualization(view, result, model);
  return cloud;
}

std::unique_ptr<PointCloud2> to_filtered(
    const std_msgs::msg::Header& header, const PointCloud2& message,
    const perception::CloudView& view, const perception::FrameResult& result,
    const std::function<bool(const perception::PointLabel&)>& keep) {
  auto cloud = std::make_unique<PointCloud2>();
  cloud->header = header;
  cloud->height = 1;
  cloud->fields = message.fields;
  cloud->is_bigendian = message.is_bigendian;
  cloud->point_step = message.point_step;
  cloud->is_dense = true;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (!keep(result.labels[i])) continue;
    cloud->data.insert(cloud->data.end(), view.address(i), view.address(i) + message.point_step);
    if (view.moves()) view.write_position(i, &*(cloud->data.end() - message.point_step));
    ++cloud->width;
  }
  cloud->row_step = cloud->point_step * cloud->width;
  return cloud;
}

}  // namespace pointtree::ros

// SPDX-License-Identifier: Apache-2.0
#include "labelled_bag.hpp"

#include "io/cdr.hpp"
#include "perception/object_markers.hpp"
#include "pointtree/perception/segmentation_cloud.hpp"

namespace pointtree::cli {
namespace {

using io::CdrWriter;
using perception::ObjectMarker;

// Values of visualization_msgs/msg/Marker.
constexpr std::int32_t kCube = 1;
constexpr std::int32_t kText = 9;
constexpr std::int32_t kAdd = 0;
constexpr std::int32_t kDeleteAll = 3;

/// The cloud as it came, but for its points.
io::Bytes encode_cloud(const io::PointCloud2Message& input, std::vector<io::PointField> fields,
                       std::uint32_t point_step, const io::Bytes& points) {
  io::PointCloud2Message message;
  message.header = input.header;
  message.height = input.height;
  message.width = input.width;
  message.fields = std::move(fields);
  message.point_step = point_step;
  message.row_step = message.width * point_step;
  message.is_dense = input.is_dense;
  message.data = points;
  return io::encode_point_cloud2(message);
}

void write_vector(CdrWriter& writer, const Eigen::Vector3f& vector) {
  for (int i = 0; i < 3; ++i) writer.f64(static_cast<double>(vector[i]));
}

void write_pose(CdrWriter& writer, const Eigen::Vector3f& position,
                const Eigen::Quaternionf& orientation) {
  write_vector(writer, position);
  // x y z w, as ROS has it too.
  for (int i = 0; i < 4; ++i) writer.f64(static_cast<double>(orientation.coeffs()[i]));
}

void write_object(CdrWriter& writer, const perception::LabeledObject& object,
                  const inference::EngineInfo& model) {
  writer.u32(object.id);
  writer.u8(object.class_id);
  writer.text(perception::class_name(object.class_id, model));
  writer.boolean(object.classified);
  writer.f32(object.confidence);
  writer.f32(object.entropy);
  writer.sequence(object.scores.size());
  for (const float score : object.scores) writer.f32(score);
  writer.u32(object.point_count);
  write_vector(writer, object.centroid);
  write_pose(writer, object.box.center, object.box.orientation);
  write_vector(writer, object.box.size);
}

io::Bytes encode_objects(const io::MessageHeader& header, const perception::FrameResult& result,
                         const inference::EngineInfo& model) {
  CdrWriter writer;
  write_header(writer, header);
  writer.sequence(model.classes.size());
  for (const std::string& name : model.classes) writer.text(name);
  writer.sequence(result.objects.size());
  for (const auto& object : result.objects) write_object(writer, object, model);
  return writer.finish();
}

void write_marker(CdrWriter& writer, const io::MessageHeader& header, const char* name,
                  std::int32_t type, std::int32_t action, const ObjectMarker& marker) {
  write_header(writer, header);
  writer.text(name);
  writer.i32(marker.id);
  writer.i32(type);
  writer.i32(action);
  write_pose(writer, marker.position, marker.orientation);
  write_vector(writer, marker.scale);
  for (const float part : marker.colour) writer.f32(part);
  writer.i32(0);  // lifetime: for ever
  writer.u32(0);
  writer.boolean(false);  // frame_locked
  writer.sequence(0);     // points
  writer.sequence(0);     // colors
  writer.text("");        // texture_resource
  write_header(writer, {});
  writer.text("");     // texture's format
  writer.sequence(0);  // texture's data
  writer.sequence(0);  // uv_coordinates
  writer.text(marker.text);
  writer.text("");        // mesh_resource
  writer.text("");        // mesh_file's name
  writer.sequence(0);     // mesh_file's data
  writer.boolean(false);  // mesh_use_embedded_materials
}

io::Bytes encode_markers(const io::MessageHeader& header, const perception::FrameResult& result,
                         const inference::EngineInfo& model) {
  const std::vector<ObjectMarker> markers = perception::object_markers(result, model);
  CdrWriter writer;
  writer.sequence(markers.size() + 1);
  write_marker(writer, header, "", 0, kDeleteAll, {});
  for (const ObjectMarker& marker : markers) {
    const bool box = marker.shape == ObjectMarker::Shape::box;
    write_marker(writer, header, marker.name_space.c_str(), box ? kCube : kText, kAdd, marker);
  }
  return writer.finish();
}

}  // namespace

LabelledBag::LabelledBag(const std::filesystem::path& path)
    : writer_(path),
      segmentation_(add_topic("segmentation", io::kPointCloud2Type)),
      visualization_(add_topic("visualization", io::kPointCloud2Type)),
      objects_(add_topic("objects", "pointtree/msg/LabeledObjectArray")),
      markers_(add_topic("markers", "visualization_msgs/msg/MarkerArray")) {}

std::size_t LabelledBag::add_topic(const char* name, std::string_view type) {
  io::BagTopic topic;
  topic.name = std::string("/pointtree/output/") + name;
  topic.type = type;
  return writer_.add_topic(topic);
}

void LabelledBag::write(const ReplayFrame& frame, const perception::CloudView& cloud,
                        const perception::FrameResult& result, const inference::EngineInfo& model) {
  const io::MessageHeader& header = frame.message.header;
  const auto write = [&](std::size_t topic, const io::Bytes& message) {
    writer_.write(topic, frame.log_time, message);
  };
  write(segmentation_, encode_cloud(frame.message, perception::segmentation_fields(),
                                    perception::kSegmentationPointStep,
                                    perception::encode_segmentation(cloud, result)));
  write(visualization_, encode_cloud(frame.message, perception::visualization_fields(),
                                     perception::kVisualizationPointStep,
                                     perception::encode_visualization(cloud, result, model)));
  write(objects_, encode_objects(header, result, model));
  write(markers_, encode_markers(header, result, model));
}

}  // namespace pointtree::cli

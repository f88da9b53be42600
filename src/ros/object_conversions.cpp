#include <spdlog/fmt/fmt.h>

#include "pointtree/ros/conversions.hpp"

namespace pointtree::ros {
namespace {

using perception::FrameResult;
using perception::LabeledObject;
using visualization_msgs::msg::Marker;

constexpr float kBoxOpacity = 0.35F;
constexpr double kTextHeight = 0.5;  ///< metres

std::string class_name(const LabeledObject& object, const model::EngineInfo& model) {
  return object.class_id < model.classes.size() ? model.classes[object.class_id] : "unknown";
}

/// Fills any message with x, y and z.
template <typename Message>
void fill(Message& message, const Eigen::Vector3f& from) {
  message.x = static_cast<double>(from.x());
  message.y = static_cast<double>(from.y());
  message.z = static_cast<double>(from.z());
}

void fill(geometry_msgs::msg::Pose& pose, const perception::OrientedBox& box) {
  fill(pose.position, box.center);
  pose.orientation.w = static_cast<double>(box.orientation.w());
  pose.orientation.x = static_cast<double>(box.orientation.x());
  pose.orientation.y = static_cast<double>(box.orientation.y());
  pose.orientation.z = static_cast<double>(box.orientation.z());
}

std_msgs::msg::ColorRGBA marker_colour(const LabeledObject& object,
                                       const model::EngineInfo& model) {
  constexpr float kUnknownGrey = 0.63F;
  std_msgs::msg::ColorRGBA colour;
  colour.r = colour.g = colour.b = kUnknownGrey;
  if (object.class_id < model.colours.size()) {
    const auto& [red, green, blue] = model.colours[object.class_id];
    colour.r = static_cast<float>(red) / 255.0F;
    colour.g = static_cast<float>(green) / 255.0F;
    colour.b = static_cast<float>(blue) / 255.0F;
  }
  colour.a = kBoxOpacity;
  return colour;
}

Marker box_marker(const std_msgs::msg::Header& header, const LabeledObject& object,
                  const model::EngineInfo& model) {
  Marker marker;
  marker.header = header;
  marker.ns = "boxes";
  marker.id = static_cast<std::int32_t>(object.id);
  marker.type = Marker::CUBE;
  marker.action = Marker::ADD;
  fill(marker.pose, object.box);
  fill(marker.scale, object.box.size);
  marker.color = marker_colour(object, model);
  return marker;
}

Marker name_marker(const Marker& box, const LabeledObject& object, const model::EngineInfo& model) {
  Marker marker = box;
  marker.ns = "names";
  marker.type = Marker::TEXT_VIEW_FACING;
  const Eigen::Vector3f top =
      object.box.center +
      object.box.orientation * Eigen::Vector3f(0.0F, 0.0F, 0.5F * object.box.size.z() + 0.3F);
  fill(marker.pose.position, top);
  marker.scale.x = marker.scale.y = 0.0;
  marker.scale.z = kTextHeight;
  marker.color.a = 1.0F;
  marker.text = fmt::format("{} {:.0f} %", class_name(object, model), 100.0F * object.confidence);
  return marker;
}

}  // namespace

std::unique_ptr<pointtree::msg::LabeledObjectArray> to_objects(const std_msgs::msg::Header& header,
                                                               const FrameResult& result,
                                                               const model::EngineInfo& model) {
  auto array = std::make_unique<pointtree::msg::LabeledObjectArray>();
  array->header = header;
  array->class_names = model.classes;
  array->objects.reserve(result.objects.size());
  for (const LabeledObject& object : result.objects) {
    pointtree::msg::LabeledObject message;
    message.id = object.id;
    message.class_id = object.class_id;
    message.class_name = class_name(object, model);
    message.classified = object.classified;
    message.confidence = object.confidence;
    message.entropy = object.entropy;
    message.scores = object.scores;
    message.point_count = object.point_count;
    fill(message.centroid, object.centroid);
    fill(message.pose, object.box);
    fill(message.size, object.box.size);
    array->objects.push_back(std::move(message));
  }
  return array;
}

std::unique_ptr<visualization_msgs::msg::MarkerArray> to_markers(
    const std_msgs::msg::Header& header, const FrameResult& result,
    const model::EngineInfo& model) {
  auto array = std::make_unique<visualization_msgs::msg::MarkerArray>();
  Marker clear;
  clear.header = header;
  clear.action = Marker::DELETEALL;
  array->markers.push_back(clear);
  for (const LabeledObject& object : result.objects) {
    array->markers.push_back(box_marker(header, object, model));
    if (object.classified) {
      array->markers.push_back(name_marker(array->markers.back(), object, model));
    }
  }
  return array;
}

#ifdef POINTTREE_HAS_VISION_MSGS
std::unique_ptr<vision_msgs::msg::Detection3DArray> to_detections(
    const std_msgs::msg::Header& header, const FrameResult& result,
    const model::EngineInfo& model) {
  auto array = std::make_unique<vision_msgs::msg::Detection3DArray>();
  array->header = header;
  for (const LabeledObject& object : result.objects) {
    if (!object.classified) continue;
    vision_msgs::msg::Detection3D detection;
    detection.header = header;
    detection.id = std::to_string(object.id);
    fill(detection.bbox.center, object.box);
    fill(detection.bbox.size, object.box.size);
    for (std::size_t label = 0; label < object.scores.size(); ++label) {
      vision_msgs::msg::ObjectHypothesisWithPose result_of_class;
      result_of_class.hypothesis.class_id = model.classes[label];
      result_of_class.hypothesis.score = static_cast<double>(object.scores[label]);
      result_of_class.pose.pose = detection.bbox.center;
      detection.results.push_back(std::move(result_of_class));
    }
    array->detections.push_back(std::move(detection));
  }
  return array;
}

std::unique_ptr<vision_msgs::msg::LabelInfo> to_label_info(const model::EngineInfo& model,
                                                           double min_confidence) {
  auto info = std::make_unique<vision_msgs::msg::LabelInfo>();
  for (std::size_t label = 0; label < model.classes.size(); ++label) {
    vision_msgs::msg::VisionClass entry;
    entry.class_id = static_cast<std::uint16_t>(label);
    entry.class_name = model.classes[label];
    info->class_map.push_back(std::move(entry));
  }
  info->threshold = static_cast<float>(min_confidence);
  return info;
}
#endif

}  // namespace pointtree::ros

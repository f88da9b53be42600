// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include "perception/object_markers.hpp"
#include "pointtree/ros/conversions.hpp"

namespace pointtree::ros {
namespace {

using perception::FrameResult;
using perception::LabeledObject;
using visualization_msgs::msg::Marker;

/// Fills any message with x, y and z.
template <typename Message>
void fill(Message& message, const Eigen::Vector3f& from) {
  message.x = static_cast<double>(from.x());
  message.y = static_cast<double>(from.y());
  message.z = static_cast<double>(from.z());
}

void fill(geometry_msgs::msg::Pose& pose, const Eigen::Vector3f& position,
          const Eigen::Quaternionf& orientation) {
  fill(pose.position, position);
  pose.orientation.w = static_cast<double>(orientation.w());
  pose.orientation.x = static_cast<double>(orientation.x());
  pose.orientation.y = static_cast<double>(orientation.y());
  pose.orientation.z = static_cast<double>(orientation.z());
}

Marker to_marker(const std_msgs::msg::Header& header, const perception::ObjectMarker& from) {
  const bool box = from.shape == perception::ObjectMarker::Shape::box;
  Marker marker;
  marker.header = header;
  marker.ns = from.name_space;
  marker.id = from.id;
  marker.type = box ? Marker::CUBE : Marker::TEXT_VIEW_FACING;
  marker.action = Marker::ADD;
  fill(marker.pose, from.position, from.orientation);
  fill(marker.scale, from.scale);
  marker.color.r = from.colour[0];
  marker.color.g = from.colour[1];
  marker.color.b = from.colour[2];
  marker.color.a = from.colour[3];
  marker.text = from.text;
  return marker;
}

}  // namespace

std::unique_ptr<pointtree::msg::LabeledObjectArray> to_objects(const std_msgs::msg::Header& header,
                                                               const FrameResult& result,
                                                               const inference::EngineInfo& model) {
  auto array = std::make_unique<pointtree::msg::LabeledObjectArray>();
  array->header = header;
  array->class_names = model.classes;
  array->objects.reserve(result.objects.size());
  for (const LabeledObject& object : result.objects) {
    pointtree::msg::LabeledObject message;
    message.id = object.id;
    message.class_id = object.class_id;
    message.class_name = perception::class_name(object.class_id, model);
    message.classified = object.classified;
    message.confidence = object.confidence;
    message.entropy = object.entropy;
    message.scores = object.scores;
    message.point_count = object.point_count;
    fill(message.centroid, object.centroid);
    fill(message.pose, object.box.center, object.box.orientation);
    fill(message.size, object.box.size);
    array->objects.push_back(std::move(message));
  }
  return array;
}

std::unique_ptr<visualization_msgs::msg::MarkerArray> to_markers(
    const std_msgs::msg::Header& header, const FrameResult& result,
    const inference::EngineInfo& model) {
  auto array = std::make_unique<visualization_msgs::msg::MarkerArray>();
  Marker clear;
  clear.header = header;
  clear.action = Marker::DELETEALL;
  array->markers.push_back(clear);
  for (const perception::ObjectMarker& marker : perception::object_markers(result, model)) {
    array->markers.push_back(to_marker(header, marker));
  }
  return array;
}

#ifdef POINTTREE_HAS_VISION_MSGS
std::unique_ptr<vision_msgs::msg::Detection3DArray> to_detections(
    const std_msgs::msg::Header& header, const FrameResult& result,
    const inference::EngineInfo& model, bool unknown) {
  auto array = std::make_unique<vision_msgs::msg::Detection3DArray>();
  array->header = header;
  for (const LabeledObject& object : result.objects) {
    const bool sure = object.class_id != perception::kUnknownClass;
    if (!sure && !unknown) continue;
    vision_msgs::msg::Detection3D detection;
    detection.header = header;
    detection.id = std::to_string(object.id);
    fill(detection.bbox.center, object.box.center, object.box.orientation);
    fill(detection.bbox.size, object.box.size);
    const auto add = [&](const std::string& name, float score) {
      vision_msgs::msg::ObjectHypothesisWithPose hypothesis;
      hypothesis.hypothesis.class_id = name;
      hypothesis.hypothesis.score = static_cast<double>(score);
      hypothesis.pose.pose = detection.bbox.center;
      detection.results.push_back(std::move(hypothesis));
    };
    if (!sure) add("unknown", 1.0F - object.confidence);
    std::vector<std::size_t> order(object.scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return object.scores[a] > object.scores[b];
    });
    for (const std::size_t label : order) add(model.classes[label], object.scores[label]);
    array->detections.push_back(std::move(detection));
  }
  return array;
}

std::unique_ptr<vision_msgs::msg::LabelInfo> to_label_info(const inference::EngineInfo& model,
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

#ifdef POINTTREE_HAS_AUTOWARE_MSGS
std::unique_ptr<autoware_perception_msgs::msg::DetectedObjects> to_detected_objects(
    const std_msgs::msg::Header& header, const FrameResult& result,
    const std::vector<std::uint8_t>& labels, bool unknown) {
  using namespace autoware_perception_msgs::msg;  // NOLINT(google-build-using-namespace)
  auto array = std::make_unique<DetectedObjects>();
  array->header = header;
  for (const LabeledObject& object : result.objects) {
    const bool sure = object.class_id != perception::kUnknownClass;
    if (!sure && !unknown) continue;
    DetectedObject message;
    message.existence_probability = 1.0F;  // its points were measured; only the class is in doubt
    std::map<std::uint8_t, float> probabilities;
    if (!sure) probabilities[ObjectClassification::UNKNOWN] = 1.0F;
    for (std::size_t i = 0; sure && i < object.scores.size(); ++i)
      probabilities[labels.at(i)] += object.scores[i];
    for (const auto& [label, probability] : probabilities) {
      ObjectClassification classification;
      classification.label = label;
      classification.probability = probability;
      message.classification.push_back(classification);
    }
    std::stable_sort(message.classification.begin(), message.classification.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    fill(message.kinematics.pose_with_covariance.pose, object.box.center, object.box.orientation);
    // A box does not tell its front from its back.
    message.kinematics.orientation_availability = DetectedObjectKinematics::SIGN_UNKNOWN;
    message.shape.type = Shape::BOUNDING_BOX;
    fill(message.shape.dimensions, object.box.size);
    array->objects.push_back(std::move(message));
  }
  return array;
}
#endif

}  // namespace pointtree::ros

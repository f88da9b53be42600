// SPDX-License-Identifier: Apache-2.0
#include "perception/object_markers.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace pointtree::perception {
namespace {

constexpr float kBoxOpacity = 0.3F;
constexpr float kTextHeight = 0.6F;  ///< metres
constexpr float kTextGap = 0.3F;     ///< between box and name, metres

std::array<float, 4> marker_colour(const LabeledObject& object,
                                   const inference::EngineInfo& model) {
  constexpr float kUnknownGrey = 0.63F;
  std::array<float, 4> colour = {kUnknownGrey, kUnknownGrey, kUnknownGrey, kBoxOpacity};
  if (object.class_id < model.colours.size()) {
    for (std::size_t i = 0; i < 3; ++i) {
      colour[i] = static_cast<float>(model.colours[object.class_id][i]) / 255.0F;
    }
  }
  return colour;
}

/// Unknown objects have their own, so that a view can hide them.
std::string name_space(const LabeledObject& object, const std::string& plain) {
  return (object.class_id == kUnknownClass ? "unknown_" : "") + plain;
}

ObjectMarker box_marker(const LabeledObject& object, const inference::EngineInfo& model) {
  ObjectMarker marker;
  marker.name_space = name_space(object, "boxes");
  marker.id = static_cast<std::int32_t>(object.id);
  marker.position = object.box.center;
  marker.orientation = object.box.orientation;
  marker.scale = object.box.size;
  marker.colour = marker_colour(object, model);
  return marker;
}

ObjectMarker name_marker(const LabeledObject& object, const inference::EngineInfo& model) {
  ObjectMarker marker = box_marker(object, model);
  marker.shape = ObjectMarker::Shape::name;
  marker.name_space = name_space(object, "names");
  marker.position +=
      object.box.orientation * Eigen::Vector3f(0.0F, 0.0F, 0.5F * object.box.size.z() + kTextGap);
  marker.scale = {0.0F, 0.0F, kTextHeight};
  marker.colour = {1.0F, 1.0F, 1.0F, 1.0F};  // stands out from points in the class's colour
  marker.text =
      fmt::format("{}:{:.0f}%", class_name(object.class_id, model), 100.0F * object.confidence);
  // RViz draws a space two letters wide.
  std::replace(marker.text.begin(), marker.text.end(), ' ', '-');
  return marker;
}

}  // namespace

std::string class_name(std::size_t class_id, const inference::EngineInfo& model) {
  return class_id < model.classes.size() ? model.classes[class_id] : "unknown";
}

std::vector<ObjectMarker> object_markers(const FrameResult& result,
                                         const inference::EngineInfo& model) {
  std::vector<ObjectMarker> markers;
  for (const LabeledObject& object : result.objects) {
    markers.push_back(box_marker(object, model));
    if (object.classified) markers.push_back(name_marker(object, model));
  }
  return markers;
}

}  // namespace pointtree::perception

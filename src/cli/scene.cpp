// SPDX-License-Identifier: Apache-2.0
#include "scene.hpp"

#include <spdlog/fmt/fmt.h>

#include <map>

namespace pointtree::cli {
namespace {

using perception::kUnknownClass;
using perception::LabeledObject;
using perception::PointLabel;
using perception::PointRole;

constexpr Colour kGround{92, 98, 108};
constexpr Colour kBackground{134, 140, 150};
constexpr Colour kUnknown{222, 222, 222};

Colour colour_of(const PointLabel& label, const inference::EngineInfo& model) {
  if (label.class_id < model.colours.size()) return model.colours[label.class_id];
  if (label.role == PointRole::ground) return kGround;
  return label.role == PointRole::object ? kUnknown : kBackground;
}

std::string name_of(const LabeledObject& object, const inference::EngineInfo& model) {
  if (object.class_id >= model.classes.size()) return {};
  return fmt::format("{} {:.0f} %", model.classes[object.class_id], 100.0F * object.confidence);
}

void add_legend(const perception::FrameResult& result, const inference::EngineInfo& model,
                Scene& scene) {
  std::map<int, std::size_t> counts;
  if (result.objects.empty()) {
    for (const PointLabel& label : result.labels) {
      if (label.role == PointRole::object) ++counts[label.class_id];
    }
  }
  for (const LabeledObject& object : result.objects) ++counts[object.class_id];
  for (const auto& [class_id, count] : counts) {
    if (class_id == kUnknownClass) continue;
    const auto index = static_cast<std::size_t>(class_id);
    scene.legend.push_back({model.colours[index], model.classes[index], count});
  }
  if (counts.count(kUnknownClass) > 0)
    scene.legend.push_back({kUnknown, "unknown", counts[kUnknownClass]});
  scene.legend.push_back({kBackground, "background", 0});
  scene.legend.push_back({kGround, "ground", 0});
}

}  // namespace

Scene make_scene(const perception::CloudView& cloud, const perception::FrameResult& result,
                 const inference::EngineInfo& model, std::string title) {
  Scene scene;
  scene.title = std::move(title);
  scene.subtitle = fmt::format("{} points, {} objects, {:.1f} ms, model {}", cloud.size(),
                               result.objects.size(), result.times.total, model.name);
  const Eigen::Quaternionf level = perception::level_rotation(result.ground.up);
  const Eigen::Vector3f lift(0.0F, 0.0F, result.ground.sensor_height);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const PointLabel& label = result.labels[i];
    if (label.role == PointRole::dropped) continue;
    const Eigen::Vector3f position = level * cloud.position(i).cast<float>() + lift;
    scene.points.push_back({position, colour_of(label, model)});
  }
  for (const LabeledObject& object : result.objects) {
    PointLabel label;
    label.class_id = object.class_id;
    label.role = PointRole::object;
    SceneBox box{object.box, colour_of(label, model), name_of(object, model)};
    box.box.center = level * object.box.center + lift;
    box.box.orientation = level * object.box.orientation;
    scene.boxes.push_back(std::move(box));
  }
  add_legend(result, model, scene);
  return scene;
}

std::array<Eigen::Vector3f, 8> corners_of(const perception::OrientedBox& box) {
  std::array<Eigen::Vector3f, 8> corners;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector3f side((k & 1) != 0 ? 0.5F : -0.5F, (k & 2) != 0 ? 0.5F : -0.5F,
                               (k & 4) != 0 ? 0.5F : -0.5F);
    corners[static_cast<std::size_t>(k)] =
        box.center + box.orientation * side.cwiseProduct(box.size);
  }
  return corners;
}

const std::array<std::array<int, 2>, 12>& box_edges() {
  static const std::array<std::array<int, 2>, 12> kEdges{{{0, 1},
                                                          {1, 3},
                                                          {3, 2},
                                                          {2, 0},
                                                          {4, 5},
                                                          {5, 7},
                                                          {7, 6},
                                                          {6, 4},
                                                          {0, 4},
                                                          {1, 5},
                                                          {2, 6},
                                                          {3, 7}}};
  return kEdges;
}

}  // namespace pointtree::cli

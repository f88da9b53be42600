// SPDX-License-Identifier: Apache-2.0
#include "scene.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

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

/// Every class that occurs, found or true, with its number of objects, or of points where the frame
/// has no objects.
void add_legend(const perception::FrameResult& result, const inference::EngineInfo& model,
                const std::set<int>& true_classes, Scene& scene) {
  std::map<int, std::size_t> counts;
  for (const int class_id : true_classes) counts[class_id] = 0;
  for (const LabeledObject& object : result.objects) ++counts[object.class_id];
  for (const PointLabel& label : result.labels) {
    if (label.role == PointRole::object) counts[label.class_id] += result.objects.empty() ? 1 : 0;
  }
  for (const auto& [class_id, count] : counts) {
    if (class_id == kUnknownClass) continue;
    const auto index = static_cast<std::size_t>(class_id);
    scene.legend.push_back({model.colours[index], model.classes[index], count});
  }
  if (counts.count(kUnknownClass) > 0)
    scene.legend.push_back({kUnknown, "unknown", counts[kUnknownClass], false});
  scene.legend.push_back({kBackground, "background", 0, false});
  scene.legend.push_back({kGround, "ground", 0, false});
}

/// Intensities of the points, from 0 to 255 between the frame's least and 99 % of them: a mirror
/// among them must not make all else dark. Empty where the cloud has none.
std::vector<std::uint8_t> intensities_of(const perception::CloudView& cloud) {
  const auto field = cloud.field("intensity");
  if (!field) return {};
  std::vector<double> values;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const double value = field->read(cloud.address(i));
    values.push_back(std::isfinite(value) ? value : 0.0);
  }
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted.front();
  const double span = std::max(sorted[sorted.size() * 99 / 100] - low, 1e-9);
  std::vector<std::uint8_t> scaled;
  for (const double value : values)
    scaled.push_back(
        static_cast<std::uint8_t>(std::lround(255.0 * std::min(1.0, (value - low) / span))));
  return scaled;
}

}  // namespace

Scene make_scene(const perception::CloudView& cloud, const perception::FrameResult& result,
                 const inference::EngineInfo& model, std::string title, const SceneTruth& truth) {
  Scene scene;
  scene.title = std::move(title);
  scene.subtitle = fmt::format("{} points, {} objects, {:.1f} ms, model {}", cloud.size(),
                               result.objects.size(), result.times.total, model.name);
  const Eigen::Quaternionf level = perception::level_rotation(result.ground.up);
  const Eigen::Vector3f lift(0.0F, 0.0F, result.ground.sensor_height);
  const std::vector<std::uint8_t> intensities = intensities_of(cloud);
  scene.has_intensity = !intensities.empty();
  scene.has_truth = !truth.points.empty();
  std::set<int> true_classes;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const PointLabel& label = result.labels[i];
    if (label.role == PointRole::dropped) continue;
    const Eigen::Vector3f position = level * cloud.position(i).cast<float>() + lift;
    ScenePoint point{position, colour_of(label, model), kBackground, 0};
    if (scene.has_intensity) point.intensity = intensities[i];
    if (scene.has_truth && truth.points[i] >= 0) {
      point.truth = model.colours[static_cast<std::size_t>(truth.points[i])];
      true_classes.insert(truth.points[i]);
    }
    scene.points.push_back(point);
  }
  for (std::size_t k = 0; k < result.objects.size(); ++k) {
    const LabeledObject& object = result.objects[k];
    PointLabel label;
    label.class_id = object.class_id;
    label.role = PointRole::object;
    SceneBox box;
    box.box = object.box;
    box.colour = colour_of(label, model);
    box.name = name_of(object, model);
    box.id = object.id;
    box.points = object.point_count;
    box.confidence = object.confidence;
    box.distance = object.box.center.norm();
    if (object.class_id < model.classes.size()) box.class_name = model.classes[object.class_id];
    if (k < truth.objects.size() && truth.objects[k] >= 0)
      box.truth = model.classes[static_cast<std::size_t>(truth.objects[k])];
    box.box.center = level * object.box.center + lift;
    box.box.orientation = level * object.box.orientation;
    scene.boxes.push_back(std::move(box));
  }
  add_legend(result, model, true_classes, scene);
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

const std::vector<Colour>& distinct_colours() {
  static const std::vector<Colour> kColours{{204, 136, 238}, {255, 85, 0},   {136, 255, 153},
                                            {85, 119, 255},  {255, 221, 0},  {153, 68, 51},
                                            {68, 170, 119},  {102, 17, 255}, {255, 153, 221},
                                            {136, 187, 85},  {204, 51, 170}, {153, 17, 187}};
  return kColours;
}

void colour_distinctly(std::vector<Scene>& scenes) {
  std::map<std::string, Colour> chosen;
  for (Scene& scene : scenes) {
    std::map<Colour, Colour> changes;
    for (LegendEntry& entry : scene.legend) {
      if (!entry.is_class) continue;
      auto found = chosen.find(entry.name);
      if (found == chosen.end()) {
        const bool left = chosen.size() < distinct_colours().size();
        found = chosen.emplace(entry.name, left ? distinct_colours()[chosen.size()] : entry.colour)
                    .first;
      }
      changes[entry.colour] = found->second;
      entry.colour = found->second;
    }
    const auto change = [&](Colour& colour) {
      if (const auto found = changes.find(colour); found != changes.end()) colour = found->second;
    };
    for (ScenePoint& point : scene.points) {
      change(point.colour);
      change(point.truth);
    }
    for (SceneBox& box : scene.boxes) change(box.colour);
  }
}

}  // namespace pointtree::cli

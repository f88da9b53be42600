// SPDX-License-Identifier: Apache-2.0
#include "truth_scene.hpp"

#include <cmath>

#include "pointtree/io/cloud_file.hpp"

namespace pointtree::cli {
namespace {

/// Colours that differ most between neighbouring labels: hues a golden angle apart.
Colour colour_of(std::int32_t label) {
  const double hue = std::fmod(0.61803398875 * label + 0.58, 1.0);
  Colour colour{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double angle = 6.28318530718 * (hue - static_cast<double>(channel) / 3.0);
    colour[channel] = static_cast<std::uint8_t>(std::lround(140.0 + 95.0 * std::cos(angle)));
  }
  return colour;
}

}  // namespace

Scene truth_scene(const simulation::Simulation& simulation, const simulation::Scan& scan,
                  std::string title) {
  const io::Cloud cloud = simulation::to_cloud(scan);
  const std::vector<std::string>& classes = simulation.scene.classes;
  std::vector<std::size_t> seen(classes.size(), 0);
  Scene scene;
  scene.title = std::move(title);
  for (Eigen::Index i = 0; i < cloud.points.rows(); ++i) {
    const Eigen::Vector3f point = cloud.points.row(i);
    if (!point.allFinite()) continue;
    const std::int32_t label = cloud.labels.at(static_cast<std::size_t>(i));
    ++seen.at(static_cast<std::size_t>(label));
    ScenePoint shown;
    shown.position = (scan.pose * point.cast<double>()).cast<float>();
    shown.colour = colour_of(label);
    scene.points.push_back(shown);
  }
  scene.subtitle = std::to_string(scene.points.size()) + " points, true labels";
  for (std::size_t label = 0; label < classes.size(); ++label) {
    if (seen[label] == 0) continue;
    scene.legend.push_back(
        {colour_of(static_cast<std::int32_t>(label)), classes[label], seen[label]});
  }
  return scene;
}

}  // namespace pointtree::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"

namespace pointtree::cli {

using Colour = std::array<std::uint8_t, 3>;

/// A coloured point, z up.
struct ScenePoint {
  Eigen::Vector3f position;
  Colour colour;
  Colour truth{};              ///< of the true class, where Scene::has_truth; else of no class
  std::uint8_t intensity = 0;  ///< from the least to the greatest of the frame
};

/// An object's box, z up.
struct SceneBox {
  perception::OrientedBox box;
  Colour colour;
  std::string name;  ///< class and confidence; empty where unknown
  std::uint32_t id = 0;
  std::uint32_t points = 0;
  float confidence = 0.0F;
  float distance = 0.0F;   ///< from the sensor, in metres
  std::string class_name;  ///< empty where unknown
  std::string truth;       ///< the true class; empty where unknown
};

/// A colour and what it means.
struct LegendEntry {
  Colour colour;
  std::string name;
  std::size_t objects;   ///< objects, or points where nothing is counted in objects
  bool is_class = true;  ///< false for ground, background and unknown
};

/// A frame ready to be drawn: levelled, coloured by class, with a legend of what occurs in it.
struct Scene {
  std::string title;
  std::string subtitle;
  std::vector<ScenePoint> points;
  std::vector<SceneBox> boxes;
  std::vector<LegendEntry> legend;
  bool has_truth = false;
  bool has_intensity = false;
};

/// The true classes of a frame, −1 where unknown.
struct SceneTruth {
  std::vector<int> points;   ///< per point of the cloud; empty where the recording has no labels
  std::vector<int> objects;  ///< per object
};

/// Colours a frame; ground and background are grey, and points that were dropped are left out.
Scene make_scene(const perception::CloudView& cloud, const perception::FrameResult& result,
                 const inference::EngineInfo& model, std::string title,
                 const SceneTruth& truth = {});

/// The eight corners of a box: bit 0 of a corner's number is the side along its length, bit 1 along
/// its width, bit 2 up.
std::array<Eigen::Vector3f, 8> corners_of(const perception::OrientedBox& box);

/// Corner numbers of a box's twelve edges.
const std::array<std::array<int, 2>, 12>& box_edges();

}  // namespace pointtree::cli

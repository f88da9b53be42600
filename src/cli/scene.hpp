// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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

/// Colours that differ for people with any colour vision, on a dark ground and beside its greys:
/// pairwise at least 20 apart in CIELAB as trichromats, protanopes, deuteranopes and tritanopes see
/// them.
const std::vector<Colour>& distinct_colours();

/// Gives the classes of scenes that are shown together those colours, the same class the same
/// colour, as far as they reach; further classes keep the model's.
void colour_distinctly(std::vector<Scene>& scenes);

/// Draws a scene as a PNG: from above on the left, in perspective on the right, legend below.
/// Throws std::runtime_error where the file can't be written.
void draw_scene(const Scene& scene, const std::filesystem::path& path);

/// Writes scenes as one self-contained HTML page with an orbiting view; it needs no network. The
/// page says how many frames were left out. Points are thinned out evenly so that they take at most
/// `max_bytes` of the page. Throws std::invalid_argument for no scenes,
/// std::runtime_error where the file can't be written.
void write_scene_page(const std::vector<Scene>& scenes, const std::filesystem::path& path,
                      std::size_t left_out = 0, std::size_t max_bytes = 7'500'000);

/// The page without its scenes.
const char* scene_page_text();

}  // namespace pointtree::cli

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "io/file_bytes.hpp"
#include "scene.hpp"

namespace pointtree::cli {
namespace {

constexpr std::string_view kPlaceholder = "/*SCENES*/[]";

std::string to_base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = std::uint32_t{bytes[i]} << 16;
    if (i + 1 < bytes.size()) group |= std::uint32_t{bytes[i + 1]} << 8;
    if (i + 2 < bytes.size()) group |= bytes[i + 2];
    for (int digit = 0; digit < 4; ++digit) {
      const bool padding = i + static_cast<std::size_t>(digit) > bytes.size();
      text += padding ? '=' : kDigits[(group >> (18 - 6 * digit)) & 63];
    }
  }
  return text;
}

/// Whole centimetres in 16 bits, little endian: ±327 m.
void append_centimetres(float metres, std::vector<std::uint8_t>& bytes) {
  const float centimetres = std::clamp(std::round(100.0F * metres), -32767.0F, 32767.0F);
  const auto bits = static_cast<std::uint16_t>(static_cast<std::int16_t>(centimetres));
  bytes.push_back(static_cast<std::uint8_t>(bits & 0xFF));
  bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
}

/// The legend entry of a colour; the legend names every colour that occurs.
std::size_t entry_of(const Scene& scene, const Colour& colour) {
  const auto found = std::find_if(scene.legend.begin(), scene.legend.end(),
                                  [&](const LegendEntry& entry) { return entry.colour == colour; });
  return found == scene.legend.end() ? scene.legend.size() - 1
                                     : static_cast<std::size_t>(found - scene.legend.begin());
}

double rounded(float value) { return std::round(100.0 * static_cast<double>(value)) / 100.0; }

nlohmann::json boxes_of(const Scene& scene) {
  nlohmann::json boxes = nlohmann::json::array();
  for (const SceneBox& box : scene.boxes) {
    nlohmann::json corners = nlohmann::json::array();
    for (const Eigen::Vector3f& corner : corners_of(box.box)) {
      corners.push_back({rounded(corner.x()), rounded(corner.y()), rounded(corner.z())});
    }
    boxes.push_back(
        {{"name", box.name},
         {"colour", entry_of(scene, box.colour)},
         {"corners", corners},
         {"id", box.id},
         {"class", box.class_name},
         {"confidence", rounded(box.confidence)},
         {"distance", rounded(box.distance)},
         {"points", box.points},
         {"size",
          {rounded(box.box.size.x()), rounded(box.box.size.y()), rounded(box.box.size.z())}},
         {"truth", box.truth}});
  }
  return boxes;
}

nlohmann::json to_json(const Scene& scene, std::size_t max_points) {
  std::vector<std::uint8_t> positions;
  std::vector<std::uint8_t> colours;
  std::vector<std::uint8_t> truths;
  std::vector<std::uint8_t> intensities;
  float extent = 1.0F;
  const std::size_t stride =
      std::max<std::size_t>(1, (scene.points.size() + max_points - 1) / max_points);
  for (std::size_t i = 0; i < scene.points.size(); i += stride) {
    const ScenePoint& point = scene.points[i];
    for (int axis = 0; axis < 3; ++axis) append_centimetres(point.position[axis], positions);
    colours.push_back(static_cast<std::uint8_t>(entry_of(scene, point.colour)));
    if (scene.has_truth) truths.push_back(static_cast<std::uint8_t>(entry_of(scene, point.truth)));
    if (scene.has_intensity) intensities.push_back(point.intensity);
    extent = std::max(extent, point.position.head<2>().norm());
  }
  nlohmann::json legend = nlohmann::json::array();
  for (const LegendEntry& entry : scene.legend) {
    legend.push_back({{"name", entry.name},
                      {"colour", entry.colour},
                      {"count", entry.objects},
                      {"is_class", entry.is_class}});
  }
  return {{"title", scene.title},
          {"subtitle", scene.subtitle},
          {"extent", std::min(extent, 40.0F)},
          {"points", to_base64(positions)},
          {"colours", to_base64(colours)},
          {"truths", to_base64(truths)},
          {"intensities", to_base64(intensities)},
          {"left_out", stride - 1},
          {"boxes", boxes_of(scene)},
          {"legend", legend}};
}

}  // namespace

void write_scene_page(const std::vector<Scene>& scenes, const std::filesystem::path& path,
                      std::size_t left_out, std::size_t max_bytes) {
  if (scenes.empty()) throw std::invalid_argument("a page needs at least one scene");
  nlohmann::json data = nlohmann::json::array();
  constexpr std::size_t kBytesPerPoint = 12;  // nine of its own, in base 64
  const std::size_t max_points =
      std::max<std::size_t>(1, max_bytes / kBytesPerPoint / scenes.size());
  for (const Scene& scene : scenes) data.push_back(to_json(scene, max_points));
  data.back()["frames_left_out"] = left_out;
  std::string json = data.dump();
  // Names come from outside: "</script>" in one must not end the script.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  std::string page = scene_page_text();
  page.replace(page.find(kPlaceholder), kPlaceholder.size(), json);
  io::write_file(path, page);
}

}  // namespace pointtree::cli

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/semantickitti.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "point_table.hpp"

namespace pointtree::io {
namespace {

namespace fs = std::filesystem;

struct RawClass {
  std::uint16_t semantic;
  std::int8_t label;
};

// SemanticKITTI's learning map: lane markings are road, moving things are the things they are, a
// bus or a train is another vehicle.
constexpr std::array<RawClass, 30> kLearningMap{{
    {10, 0},  {252, 0},                                         // car
    {11, 1},                                                    // bicycle
    {15, 2},                                                    // motorcycle
    {18, 3},  {258, 3},                                         // truck
    {13, 4},  {16, 4},  {20, 4}, {256, 4}, {257, 4}, {259, 4},  // other-vehicle
    {30, 5},  {254, 5},                                         // person
    {31, 6},  {253, 6},                                         // bicyclist
    {32, 7},  {255, 7},                                         // motorcyclist
    {40, 8},  {60, 8},                                          // road
    {44, 9},                                                    // parking
    {48, 10},                                                   // sidewalk
    {49, 11},                                                   // other-ground
    {50, 12},                                                   // building
    {51, 13},                                                   // fence
    {70, 14},                                                   // vegetation
    {71, 15},                                                   // trunk
    {72, 16},                                                   // terrain
    {80, 17},                                                   // pole
    {81, 18},                                                   // traffic-sign
}};

}  // namespace

const std::vector<std::string>& semantickitti_classes() {
  static const std::vector<std::string> kClasses = {
      "car",          "bicycle", "motorcycle", "truck",    "other-vehicle", "person",   "bicyclist",
      "motorcyclist", "road",    "parking",    "sidewalk", "other-ground",  "building", "fence",
      "vegetation",   "trunk",   "terrain",    "pole",     "traffic-sign"};
  return kClasses;
}

int semantickitti_class(std::uint32_t semantic) {
  for (const RawClass& entry : kLearningMap) {
    if (entry.semantic == semantic) return entry.label;
  }
  return -1;
}

std::vector<std::int32_t> LabelledScan::class_labels() const {
  std::array<std::int8_t, 260> table{};
  table.fill(-1);
  for (const RawClass& entry : kLearningMap) table[entry.semantic] = entry.label;
  std::vector<std::int32_t> labels;
  labels.reserve(semantic.size());
  for (const std::uint16_t number : semantic)
    labels.push_back(number < table.size() ? table[number] : -1);
  return labels;
}

fs::path semantickitti_label_file(const fs::path& scan) {
  return scan.parent_path().parent_path() / "labels" / (scan.stem().string() + ".label");
}

LabelledScan read_semantickitti(const fs::path& scan, const ReadLimits& limits) {
  LabelledScan result;
  Cloud cloud = read_cloud(scan, limits);
  if (!cloud.points.allFinite()) {
    throw ReadError("'" + scan.string() + "': finite coordinates expected, found others");
  }
  const fs::path label_file = semantickitti_label_file(scan);
  const Bytes bytes = read_file(label_file, limits.max_file_bytes);
  const auto points = static_cast<std::size_t>(cloud.points.rows());
  if (bytes.size() != 4 * points) {
    throw ReadError("'" + label_file.string() + "': " + std::to_string(points) +
                    " labels of 4 bytes expected, one for each point of '" + scan.string() +
                    "', found " + std::to_string(bytes.size()) + " bytes");
  }
  result.points = std::move(cloud.points);
  result.intensity = std::move(cloud.intensity);
  result.semantic.reserve(points);
  result.instance.reserve(points);
  ByteReader reader(bytes, "SemanticKITTI labels");
  for (std::size_t i = 0; i < points; ++i) {
    const std::uint32_t label = reader.u32();
    result.semantic.push_back(static_cast<std::uint16_t>(label & 0xFFFFU));
    result.instance.push_back(static_cast<std::uint16_t>(label >> 16));
  }
  return result;
}

std::vector<fs::path> semantickitti_scans(const fs::path& sequence) {
  const fs::path folder = sequence / "velodyne";
  std::vector<fs::path> scans;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".bin") scans.push_back(entry.path());
    }
  }
  if (scans.empty()) {
    throw ReadError("'" + folder.string() +
                    "': scans *.bin of a SemanticKITTI sequence expected, "
                    "found none");
  }
  std::sort(scans.begin(), scans.end());
  return scans;
}

Cloud parse_kitti(ByteView file, const ReadLimits& limits) {
  constexpr std::size_t kPointBytes = 16;
  if (file.size % kPointBytes != 0) {
    throw ReadError("KITTI scan: whole points of 16 bytes expected, found " +
                    std::to_string(file.size) + " bytes");
  }
  PointTable table;
  table.bytes = file;
  table.count = file.size / kPointBytes;
  if (table.count > limits.max_points) {
    throw ReadError("KITTI scan: " + std::to_string(table.count) +
                    " points are more than the ceiling of " + std::to_string(limits.max_points));
  }
  for (const char* name : {"x", "y", "z", "intensity"}) {
    table.columns.push_back({name, ScalarType::float32, 4 * table.columns.size(), kPointBytes});
  }
  return cloud_from(table);
}

std::vector<std::int32_t> read_kitti_labels(const std::filesystem::path& path,
                                            const ReadLimits& limits) {
  const Bytes bytes = read_file(path, limits.max_file_bytes);
  if (bytes.size() % 4 != 0) {
    throw ReadError("'" + path.string() + "': whole labels of 4 bytes expected, found " +
                    std::to_string(bytes.size()) + " bytes");
  }
  ByteReader reader(bytes, "KITTI labels");
  std::vector<std::int32_t> labels(bytes.size() / 4);
  for (auto& label : labels) label = static_cast<std::int32_t>(reader.u32() & 0xFFFFU);
  return labels;
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "datasets/readers.hpp"
#include "file_list_dataset.hpp"
#include "hdf5_dataset.hpp"
#include "hdf5_file.hpp"
#include "io/text_lines.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

std::string name_in_files(const std::string& split) {
  return split == "validation" ? "val" : split;
}

// Synset number → class, from lines `Airplane 02691156`.
std::map<std::string, std::int32_t> read_synsets(const fs::path& path,
                                                 const std::vector<std::string>& classes) {
  std::map<std::string, std::int32_t> synsets;
  for (const std::string& line : io::read_lines(path)) {
    const std::string name = line.substr(0, line.find_first_of(" \t"));
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end())
      throw std::runtime_error(path.string() + ": unknown category '" + name + "'");
    synsets[line.substr(line.find_last_of(" \t") + 1)] =
        static_cast<std::int32_t>(found - classes.begin());
  }
  return synsets;
}

// The quoted entries of a JSON list of strings, which is all that these files are.
std::vector<std::string> read_string_list(const fs::path& path) {
  std::string text;
  for (const std::string& line : io::read_lines(path)) text += line;
  if (text.empty() || text.front() != '[' || text.back() != ']') {
    throw std::runtime_error(path.string() + ": expected a JSON list of names");
  }
  std::vector<std::string> names;
  for (std::size_t open = text.find('"'); open != std::string::npos;) {
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string::npos)
      throw std::runtime_error(path.string() + ": a name has no closing quote");
    names.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('"', close + 1);
  }
  return names;
}

Example read_labelled_text(const fs::path& path, std::size_t parts) {
  const Channels rows = io::read_number_table(path, 7);
  Example example;
  if (rows.rows() == 0) return example;
  example.points = rows.leftCols<3>();
  example.extra = rows.middleCols<3>(3);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const float part = rows(i, 6);
    if (!(part >= 0.0F && part < static_cast<float>(parts)) || part != std::floor(part)) {
      throw std::runtime_error(path.string() + ": part " + std::to_string(part) + " of point " +
                               std::to_string(i) + " is outside of 0 to " +
                               std::to_string(parts - 1));
    }
    example.point_labels.push_back(static_cast<std::int32_t>(part));
  }
  return example;
}

}  // namespace

bool holds_parts(const fs::path& dir) {
  const auto files = find_split_files(dir, "train");
  return files && !files->empty() && fs::exists(files->front()) &&
         Hdf5File::open(files->front()).has("pid");
}

std::unique_ptr<Dataset> open_shapenet_part_hdf5(const fs::path& dir, const std::string& split) {
  Hdf5Layout layout;
  layout.label = "label";
  const bool own_name = find_split_files(dir, split).has_value();
  const auto files = require_split_files(dir, own_name ? split : name_in_files(split));
  layout.point_labels = Hdf5File::open(files.front()).has("seg") ? "seg" : "pid";
  return open_hdf5_dataset(files, layout, shapenet_part_info("shapenet_part", split), std::nullopt);
}

std::unique_ptr<Dataset> open_shapenet_part_text(const fs::path& dir, const std::string& split) {
  DatasetInfo info = shapenet_part_info("shapenet_part_text", split);
  info.extra_channels = {"normal_x", "normal_y", "normal_z"};
  const auto synsets = read_synsets(dir / "synsetoffset2category.txt", info.classes);
  const fs::path list =
      dir / "train_test_split" / ("shuffled_" + name_in_files(split) + "_file_list.json");
  std::vector<ListedCloud> clouds;
  for (const std::string& name : read_string_list(list)) {
    const fs::path shape(name);  // shape_data/<synset>/<shape>
    const std::string synset = shape.parent_path().filename().string();
    const auto found = synsets.find(synset);
    if (found == synsets.end())
      throw std::runtime_error(list.string() + ": unknown synset in '" + name + "'");
    const fs::path file = fs::path(synset) / (shape.filename().string() + ".txt");
    clouds.push_back({path_below(dir, file), found->second});
  }
  const std::size_t parts = info.point_classes.size();
  return open_file_list(std::move(info), std::move(clouds),
                        [parts](const fs::path& path) { return read_labelled_text(path, parts); });
}

DatasetInfo shapenet_part_info(const std::string& kind, const std::string& split) {
  static const std::vector<std::pair<const char*, int>> kPartCounts = {
      {"Airplane", 4}, {"Bag", 2},      {"Cap", 2},        {"Car", 4},
      {"Chair", 4},    {"Earphone", 3}, {"Guitar", 3},     {"Knife", 2},
      {"Lamp", 4},     {"Laptop", 2},   {"Motorbike", 6},  {"Mug", 2},
      {"Pistol", 3},   {"Rocket", 3},   {"Skateboard", 3}, {"Table", 3}};
  DatasetInfo info{kind, split};
  info.y_up = true;
  for (const auto& [name, count] : kPartCounts) {
    info.classes.emplace_back(name);
    std::vector<std::int32_t>& parts = info.parts_of_class.emplace_back();
    for (int i = 0; i < count; ++i) {
      parts.push_back(static_cast<std::int32_t>(info.point_classes.size()));
      info.point_classes.push_back(std::string(name) + "/" + std::to_string(i));
    }
  }
  return info;
}

}  // namespace pointtree::datasets

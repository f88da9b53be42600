// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "file_list_dataset.hpp"
#include "geometry/seed.hpp"
#include "hdf5_dataset.hpp"
#include "io/text_lines.hpp"
#include "simulation/triangle_mesh.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

// The paper keeps 1,231 of 9,843 training shapes for validation: one in eight.
constexpr double kTrainShare = 7.0 / 8.0;

/// Whether a split is a part of what the release calls `train`, which has no validation split of
/// its own.
bool cuts_train(const std::string& split, bool validation_is_stored) {
  return !validation_is_stored && (split == "train" || split == "validation");
}

/// The name under which the release keeps the clouds of a split.
std::string stored_split(const std::string& split, bool validation_is_stored) {
  const bool in_train = split == "train_all" || cuts_train(split, validation_is_stored);
  return in_train ? "train" : split;
}

/// The clouds of `train` (seven eighths of every class) or `validation` (one eighth), the same for
/// ever.
std::vector<std::size_t> cut_of_train(const std::vector<std::int32_t>& labels,
                                      const std::string& split) {
  return stratified_split(labels, {kTrainShare, 1.0 - kTrainShare})[split == "train" ? 0 : 1];
}

namespace fs = std::filesystem;

constexpr std::int32_t kPoints = 2048;

// Centred, farthest point at distance 1: as the HDF5 release is.
void normalise(geometry::Points& points) {
  points.rowwise() -= points.colwise().mean().eval();
  const float radius = points.rowwise().norm().maxCoeff();
  if (radius > 0.0F) points /= radius;
}

std::vector<ListedCloud> cut(const std::vector<ListedCloud>& clouds, const std::string& split,
                             bool stored) {
  return cuts_train(split, stored) ? select(clouds, cut_of_train(labels_of(clouds), split))
                                   : clouds;
}

Example sample_mesh(const fs::path& path) {
  // The same points at every call, other points for every mesh.
  geometry::Random random(geometry::hash_name(path.filename().string()));
  Example example;
  try {
    example.points = simulation::sample_surface(simulation::read_off(path), kPoints, random).points;
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
  normalise(example.points);
  return example;
}

Example read_points_with_normals(const fs::path& path) {
  const Channels rows = io::read_number_table(path, 6);
  Example example;
  if (rows.rows() == 0) return example;
  example.points = rows.leftCols<3>();
  example.extra = rows.middleCols<3>(3);
  normalise(example.points);
  return example;
}

// `airplane_0001` is in the folder of the longest class name that it begins with.
std::int32_t class_of(const std::string& name, const std::vector<std::string>& classes) {
  std::int32_t found = kNoLabel;
  std::size_t length = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::string prefix = classes[i] + "_";
    if (name.compare(0, prefix.size(), prefix) != 0 || prefix.size() <= length) continue;
    found = static_cast<std::int32_t>(i);
    length = prefix.size();
  }
  return found;
}

}  // namespace

std::unique_ptr<Dataset> open_modelnet_off(const fs::path& dir, const std::string& split) {
  DatasetInfo info{"modelnet40_off", split};
  std::vector<ListedCloud> clouds;
  bool stored = false;
  std::vector<fs::path> class_folders;
  for (const fs::path& entry : sorted_entries(dir)) {
    if (!fs::is_directory(entry)) continue;
    class_folders.push_back(entry);
    stored = stored || fs::is_directory(entry / "validation");
  }
  for (const fs::path& folder : class_folders) {
    const fs::path meshes = folder / stored_split(split, stored);
    if (!fs::is_directory(meshes)) continue;
    const auto label = static_cast<std::int32_t>(info.classes.size());
    info.classes.push_back(folder.filename().string());
    for (const fs::path& file : sorted_entries(meshes)) {
      if (file.extension() == ".off") clouds.push_back({file, label});
    }
  }
  if (clouds.empty()) {
    throw std::runtime_error(dir.string() + ": expected meshes <class>/" +
                             stored_split(split, stored) + "/<name>.off, found none");
  }
  return open_file_list(std::move(info), cut(clouds, split, stored), sample_mesh);
}

std::unique_ptr<Dataset> open_modelnet_text(const fs::path& dir, const std::string& split) {
  DatasetInfo info{"modelnet40_text", split};
  info.y_up = true;
  info.classes = read_names(dir, {"modelnet40_shape_names.txt"});
  info.extra_channels = {"normal_x", "normal_y", "normal_z"};
  const bool stored = fs::exists(dir / "modelnet40_validation.txt");
  const std::string list = "modelnet40_" + stored_split(split, stored) + ".txt";
  std::vector<ListedCloud> clouds;
  for (const std::string& name : read_names(dir, {list})) {
    const std::int32_t label = class_of(name, info.classes);
    if (label == kNoLabel) {
      throw std::runtime_error((dir / list).string() + ": '" + name +
                               "' belongs to no class of modelnet40_shape_names.txt");
    }
    const fs::path folder = info.classes[static_cast<std::size_t>(label)];
    clouds.push_back({path_below(dir, folder / (name + ".txt")), label});
  }
  return open_file_list(std::move(info), cut(clouds, split, stored), read_points_with_normals);
}

std::unique_ptr<Dataset> open_modelnet_hdf5(const std::filesystem::path& dir,
                                            const std::string& split) {
  Hdf5Layout layout;
  layout.label = "label";
  DatasetInfo info{"modelnet40", split};
  info.y_up = true;
  info.classes = read_names(dir, {"shape_names.txt", "modelnet40_shape_names.txt"});

  const bool stored = find_split_files(dir, "validation").has_value();
  const auto files = require_split_files(dir, stored_split(split, stored));
  if (!cuts_train(split, stored))
    return open_hdf5_dataset(files, layout, std::move(info), std::nullopt);
  const auto labels = read_labels(files, layout.label, info.classes.size());
  return open_hdf5_dataset(files, layout, std::move(info), cut_of_train(labels, split));
}

}  // namespace pointtree::datasets

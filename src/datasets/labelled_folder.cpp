// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "file_list_dataset.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

// The finite points of a cloud file with their labels.
Example read_example(const fs::path& path, std::size_t point_classes) {
  const io::Cloud cloud = io::read_cloud(path);
  if (point_classes > 0 && cloud.labels.empty())
    throw std::runtime_error(path.string() + ": has no field label");
  std::vector<Eigen::Index> kept;
  Example example;
  example.metres = 1.0;
  for (Eigen::Index i = 0; i < cloud.points.rows(); ++i) {
    if (!cloud.points.row(i).allFinite()) continue;
    kept.push_back(i);
    if (point_classes == 0) continue;
    const std::int32_t label = cloud.labels[static_cast<std::size_t>(i)];
    if (label < 0 || static_cast<std::size_t>(label) >= point_classes) {
      throw std::runtime_error(path.string() + ": label " + std::to_string(label) + " of point " +
                               std::to_string(i) + " is outside of 0 to " +
                               std::to_string(point_classes - 1));
    }
    example.point_labels.push_back(label);
  }
  example.points = cloud.points(kept, Eigen::all);
  return example;
}

std::vector<ListedCloud> clouds_by_class(const fs::path& dir, std::vector<std::string>& classes) {
  std::vector<ListedCloud> clouds;
  for (const fs::path& folder : sorted_entries(dir)) {
    if (!fs::is_directory(folder)) continue;
    const auto label = static_cast<std::int32_t>(classes.size());
    classes.push_back(folder.filename().string());
    for (const fs::path& file : sorted_entries(folder)) {
      if (io::is_cloud_file(file)) clouds.push_back({file, label});
    }
  }
  return clouds;
}

}  // namespace

std::unique_ptr<Dataset> open_labelled_folder(const fs::path& dir, const std::string& split) {
  DatasetInfo info{"labelled_folder", split};
  const bool stored = fs::is_directory(dir / split);
  std::vector<ListedCloud> clouds = clouds_by_class(stored ? dir / split : dir, info.classes);
  if (clouds.empty())
    throw std::runtime_error(dir.string() + ": expected clouds <class>/<file>, found none");
  if (!stored && split != "all") {
    const auto cut = standard_cut(labels_of(clouds), split);
    if (!cut) {
      throw std::runtime_error(dir.string() + ": has no split '" + split +
                               "', expected train, validation, test or all");
    }
    clouds = select(clouds, *cut);
  }
  return open_file_list(std::move(info), std::move(clouds),
                        [](const fs::path& path) { return read_example(path, 0); });
}

std::unique_ptr<Dataset> open_labelled_clouds(const fs::path& dir, const std::string& split) {
  DatasetInfo info{"labelled_clouds", split};
  info.point_classes = read_names(dir, {"classes.txt"});
  std::vector<ListedCloud> clouds;
  for (const fs::path& file : sorted_entries(split == "all" ? dir : dir / split)) {
    if (io::is_cloud_file(file) && file.filename() != "classes.txt")
      clouds.push_back({file, kNoLabel});
  }
  const std::size_t classes = info.point_classes.size();
  return open_file_list(std::move(info), std::move(clouds),
                        [classes](const fs::path& path) { return read_example(path, classes); });
}

}  // namespace pointtree::datasets

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "datasets/readers.hpp"
#include "file_list_dataset.hpp"
#include "hdf5_dataset.hpp"
#include "io/file_bytes.hpp"
#include "io/text_lines.hpp"
#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/io/read_limits.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {
namespace {

/// The same clouds, known to be in metres and to stand on the ground: the channel `height` is that
/// above their lowest point.
class MetricDataset : public Dataset {
 public:
  explicit MetricDataset(std::unique_ptr<Dataset> dataset)
      : dataset_(std::move(dataset)), info_(dataset_->info()) {
    info_.extra_channels = {geometry::kHeightChannel};
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return dataset_->size(); }
  std::int32_t label(std::size_t index) const override { return dataset_->label(index); }
  Example at(std::size_t index) const override {
    Example example = dataset_->at(index);
    example.metres = 1.0;
    example.extra = example.points.col(2).array() - example.points.col(2).minCoeff();
    return example;
  }

 private:
  std::unique_ptr<Dataset> dataset_;
  DatasetInfo info_;
};

std::unique_ptr<Dataset> in_metres(std::unique_ptr<Dataset> dataset) {
  return std::make_unique<MetricDataset>(std::move(dataset));
}

namespace fs = std::filesystem;

// A row: time (8 bytes), intensity, laser, x y z, azimuth, range, number of the point.
constexpr std::size_t kRowBytes = 34;
constexpr std::size_t kCoordinatesAt = 10;
constexpr int kFolds = 4;

Example read_object(const fs::path& path) {
  const auto bytes = io::read_file(path, io::ReadLimits{}.max_file_bytes);
  if (bytes.empty() || bytes.size() % kRowBytes != 0) {
    throw std::runtime_error(path.string() + ": expected rows of " + std::to_string(kRowBytes) +
                             " bytes, found " + std::to_string(bytes.size()) + " bytes");
  }
  Example example;
  example.points.resize(static_cast<Eigen::Index>(bytes.size() / kRowBytes), 3);
  for (Eigen::Index row = 0; row < example.points.rows(); ++row) {
    std::memcpy(example.points.row(row).data(),
                bytes.data() + static_cast<std::size_t>(row) * kRowBytes + kCoordinatesAt,
                3 * sizeof(float));
  }
  if (!example.points.allFinite())
    throw std::runtime_error(path.string() + ": expected finite coordinates");
  return example;
}

std::vector<bool> folds_of_split(const std::string& split) {
  std::vector<bool> chosen(kFolds, split == "all");
  bool known = split == "all";
  for (int fold = 0; fold < kFolds; ++fold) {
    const std::string name = "fold" + std::to_string(fold);
    if (split != name && split != "without_" + name) continue;
    known = true;
    chosen.assign(kFolds, split != name);
    chosen[static_cast<std::size_t>(fold)] = split == name;
  }
  if (!known) {
    throw std::runtime_error("Sydney Urban Objects has no split '" + split +
                             "', expected fold0 to fold3, without_fold0 to without_fold3 or all");
  }
  return chosen;
}

}  // namespace

std::unique_ptr<Dataset> open_sydney_urban_objects(const fs::path& dir, const std::string& split) {
  DatasetInfo info;
  info.kind = "sydney_urban_objects";
  info.split = split;
  info.classes = {"4wd",          "building", "bus",   "car",
                  "pedestrian",   "pillar",   "pole",  "traffic_lights",
                  "traffic_sign", "tree",     "truck", "trunk",
                  "ute",          "van"};
  const std::vector<bool> chosen = folds_of_split(split);
  std::vector<ListedCloud> clouds;
  for (int fold = 0; fold < kFolds; ++fold) {
    const fs::path list = dir / "folds" / ("fold" + std::to_string(fold) + ".txt");
    for (const std::string& name : io::read_lines(list)) {
      const auto label =
          std::find(info.classes.begin(), info.classes.end(), name.substr(0, name.find('.')));
      if (label == info.classes.end()) {
        throw std::runtime_error(list.string() +
                                 ": expected <class>.<instance>.<scan>.bin of the " +
                                 "14 classes, found '" + name + "'");
      }
      if (chosen[static_cast<std::size_t>(fold)])
        clouds.push_back(
            {dir / "objects" / name, static_cast<std::int32_t>(label - info.classes.begin())});
    }
  }
  return in_metres(open_file_list(std::move(info), std::move(clouds), read_object));
}

std::unique_ptr<Dataset> open_kitti_clusters(const std::filesystem::path& dir,
                                             const std::string& split) {
  DatasetInfo info;
  info.kind = "kitti_clusters";
  info.split = split;
  info.classes = read_names(dir, {"shape_names.txt"});
  Hdf5Layout layout;
  layout.label = "label";
  std::vector<std::filesystem::path> files;
  if (split == "train") {
    files = require_split_files(dir, "train_set_");
  } else if (split == "validation") {
    files = {dir / "val_set.h5"};
  } else {
    throw std::runtime_error("KITTI clusters have no split '" + split +
                             "', expected train or validation");
  }
  return in_metres(open_hdf5_dataset(files, layout, std::move(info), std::nullopt));
}

}  // namespace pointtree::datasets

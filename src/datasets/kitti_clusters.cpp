// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "datasets/street_objects.hpp"
#include "hdf5_dataset.hpp"
#include "metric_dataset.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {

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

// SPDX-License-Identifier: Apache-2.0
#include "datasets/modelnet.hpp"
#include "hdf5_dataset.hpp"
#include "modelnet_splits.hpp"
#include "split_files.hpp"

namespace pointtree::datasets {

std::unique_ptr<Dataset> open_modelnet_hdf5(const std::filesystem::path& dir,
                                            const std::string& split) {
  Hdf5Layout layout;
  layout.label = "label";
  DatasetInfo info;
  info.kind = "modelnet40";
  info.split = split;
  info.classes = read_names(dir, {"shape_names.txt", "modelnet40_shape_names.txt"});

  const bool stored = find_split_files(dir, "validation").has_value();
  const auto files = require_split_files(dir, stored_split(split, stored));
  if (!cuts_train(split, stored))
    return open_hdf5_dataset(files, layout, std::move(info), std::nullopt);
  const auto labels = read_labels(files, layout.label, info.classes.size());
  return open_hdf5_dataset(files, layout, std::move(info), cut_of_train(labels, split));
}

}  // namespace pointtree::datasets

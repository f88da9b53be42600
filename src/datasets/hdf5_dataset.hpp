// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// Where the parts of an example lie in the HDF5 files of a data set. An empty name: the files have
/// no such array.
struct Hdf5Layout {
  std::string coordinates = "data";  ///< [N, n, ≥ columns]
  std::size_t columns = 3;           ///< xyz and as many extra channels behind them
  std::string label;                 ///< [N] or [N, 1]
  std::string point_labels;          ///< [N, n]
};

/// The class of every cloud in the files, in order; throws std::runtime_error for one outside of
/// 0…classes−1.
std::vector<std::int32_t> read_labels(const std::vector<std::filesystem::path>& files,
                                      const std::string& array, std::size_t classes);

/// A data set over the clouds `selection` of the files (counted through all of them), or over all.
/// Small sets are held in memory, large ones read cloud by cloud.
std::unique_ptr<Dataset> open_hdf5_dataset(const std::vector<std::filesystem::path>& files,
                                           const Hdf5Layout& layout, DatasetInfo info,
                                           std::optional<std::vector<std::size_t>> selection);

}  // namespace pointtree::datasets

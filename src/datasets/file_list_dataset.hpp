// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// A file that holds one cloud, and the cloud's class.
struct ListedCloud {
  std::filesystem::path path;
  std::int32_t label = kNoLabel;
};

/// A data set of one file per cloud, each read when it is asked for; the reader leaves
/// Example::label alone. Errors of the reader are passed on.
std::unique_ptr<Dataset> open_file_list(DatasetInfo info, std::vector<ListedCloud> clouds,
                                        std::function<Example(const std::filesystem::path&)> read);

/// Files and folders in a folder, by name, hidden ones left out; throws std::runtime_error where it
/// is none.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& dir);

/// The classes of the clouds, in order.
std::vector<std::int32_t> labels_of(const std::vector<ListedCloud>& clouds);

/// The clouds with these indices.
std::vector<ListedCloud> select(const std::vector<ListedCloud>& clouds,
                                const std::vector<std::size_t>& indices);

}  // namespace pointtree::datasets

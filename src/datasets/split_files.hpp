// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pointtree::datasets {

/// The HDF5 files of a split: those that `<split>_files.txt` (or `<split>_hdf5_file_list.txt`)
/// lists, else those named
/// `[ply_data_]<split><number>.h5`, in order of their number. Nothing where the folder doesn't know
/// the split.
std::optional<std::vector<std::filesystem::path>> find_split_files(const std::filesystem::path& dir,
                                                                   const std::string& split);

/// As find_split_files, but throws std::runtime_error naming what was looked for.
std::vector<std::filesystem::path> require_split_files(const std::filesystem::path& dir,
                                                       const std::string& split);

/// A path that a list in the folder names; throws std::runtime_error where it leads out of the
/// folder.
std::filesystem::path path_below(const std::filesystem::path& dir,
                                 const std::filesystem::path& relative);

/// Names listed in the first of the text files that exists; throws std::runtime_error where none
/// does or it is empty.
std::vector<std::string> read_names(const std::filesystem::path& dir,
                                    const std::vector<std::string>& candidates);

}  // namespace pointtree::datasets

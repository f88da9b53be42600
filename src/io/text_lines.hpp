#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::io {

/// The lines of a text file without blanks at their ends and without empty lines; throws
/// std::runtime_error.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// Numbers separated by blanks or commas, the same count in every line; throws std::runtime_error
/// naming file and line where a line has fewer than `minimum_columns`, a different count or
/// something that is no number.
datasets::Channels read_number_table(const std::filesystem::path& path,
                                     std::size_t minimum_columns);

}  // namespace pointtree::io

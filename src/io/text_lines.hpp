// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace pointtree::io {

/// Rows of numbers.
using NumberTable = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The lines of a text file without blanks at their ends and without empty lines; throws
/// std::runtime_error.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// Numbers separated by blanks or commas, the same count in every line; throws std::runtime_error
/// naming file and line where a line has fewer than `minimum_columns`, a different count or
/// something that is no number.
NumberTable read_number_table(const std::filesystem::path& path, std::size_t minimum_columns);

}  // namespace pointtree::io

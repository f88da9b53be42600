#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace pointtree::data {

/// The lines of a text file without blanks at their ends and without empty lines; throws
/// std::runtime_error.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// A table of numbers, row-major.
struct NumberTable {
  std::vector<float> values;
  std::size_t columns = 0;
  std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

/// Numbers separated by blanks or commas, the same count in every line; throws std::runtime_error
/// naming file and line where a line has fewer than `minimum_columns`, a different count or
/// something that is no number.
NumberTable read_number_table(const std::filesystem::path& path, std::size_t minimum_columns);

}  // namespace pointtree::data

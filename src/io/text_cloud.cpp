// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/cloud_formats.hpp"
#include "io/text_lines.hpp"

namespace pointtree::io {
namespace {

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#' || line.substr(first, 2) == "//";
}

/// All numbers of all lines, row after row.
struct Rows {
  std::vector<double> values;
  std::size_t columns = 0;

  std::size_t count() const { return columns == 0 ? 0 : values.size() / columns; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

Rows parse_rows(std::string_view text, const ReadLimits& limits) {
  Rows rows;
  TextScanner scanner(text);
  bool first = true;
  for (std::size_t number = 1; const auto line = scanner.next_line(); ++number) {
    if (is_comment(*line)) continue;
    const auto words = words_of(*line);
    if (words.empty()) continue;
    const bool is_count = first && words.size() == 1;
    first = false;
    if (is_count) continue;
    if (rows.columns == 0) rows.columns = words.size();
    if (words.size() != rows.columns || words.size() < 3) {
      throw ReadError("line " + std::to_string(number) + ": " +
                      std::to_string(std::max<std::size_t>(rows.columns, 3)) +
                      " numbers expected, found " + std::to_string(words.size()));
    }
    for (const auto word : words) {
      const auto value = parse_number<double>(word);
      if (!value) {
        throw ReadError("line " + std::to_string(number) + ": a number expected, found '" +
                        std::string(word.substr(0, 40)) + "'");
      }
      rows.values.push_back(*value);
    }
    if (rows.count() > limits.max_points) {
      throw ReadError("more points than the ceiling of " + std::to_string(limits.max_points));
    }
  }
  return rows;
}

/// Whether three columns look like colours: whole numbers from 0 to 255. Normals, for one, do not.
bool are_colours(const Rows& rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.count(); ++i) {
    for (std::size_t k = first; k < first + 3; ++k) {
      const double value = rows.at(i, k);
      if (!(value >= 0.0 && value <= 255.0) || std::floor(value) != value) return false;
    }
  }
  return true;
}

}  // namespace

Cloud parse_text_cloud(ByteView file, const ReadLimits& limits) {
  const Rows rows = parse_rows(file.text(), limits);
  Cloud cloud;
  cloud.width = static_cast<std::uint32_t>(rows.count());
  cloud.points.resize(static_cast<Eigen::Index>(rows.count()), 3);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      cloud.points(static_cast<Eigen::Index>(i), axis) = static_cast<float>(rows.at(i, axis));
    }
  }
  const std::size_t colour = rows.columns == 6 ? 3 : 4;
  const bool has_colour = (rows.columns == 6 || rows.columns == 7) && are_colours(rows, colour);
  if (rows.columns == 4 || (rows.columns == 7 && has_colour)) {
    for (std::size_t i = 0; i < rows.count(); ++i)
      cloud.intensity.push_back(static_cast<float>(rows.at(i, 3)));
  }
  for (std::size_t i = 0; has_colour && i < rows.count(); ++i) {
    cloud.colours.push_back(static_cast<std::uint32_t>(rows.at(i, colour)) << 16 |
                            static_cast<std::uint32_t>(rows.at(i, colour + 1)) << 8 |
                            static_cast<std::uint32_t>(rows.at(i, colour + 2)));
  }
  return cloud;
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include <algorithm>
#include <stdexcept>

#include "file_bytes.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  const Bytes text = read_file(path, ReadLimits{}.max_file_bytes);
  TextScanner scanner(ByteView(text).text());
  std::vector<std::string> lines;
  while (const auto line = scanner.next_line()) {
    const std::size_t first = line->find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    lines.emplace_back(line->substr(first, line->find_last_not_of(" \t\r") + 1 - first));
  }
  return lines;
}

NumberTable read_number_table(const std::filesystem::path& path, std::size_t minimum_columns) {
  const Bytes text = read_file(path, ReadLimits{}.max_file_bytes);
  TextScanner scanner(ByteView(text).text());
  std::vector<float> values;
  std::size_t expected = 0;
  std::size_t number = 0;
  while (const auto line = scanner.next_line()) {
    ++number;
    const auto fail = [&](const std::string& what) {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + what);
    };
    TextScanner words(*line);
    std::size_t columns = 0;
    while (const auto word = words.next_word()) {
      const auto value = parse_number<float>(*word);
      if (!value) fail("expected a number, found '" + std::string(word->substr(0, 40)) + "'");
      values.push_back(*value);
      ++columns;
    }
    if (columns == 0) continue;
    if (expected == 0) expected = std::max(minimum_columns, columns);
    if (columns != expected) {
      fail("expected " + std::to_string(expected) + " numbers, found " + std::to_string(columns));
    }
  }
  if (expected == 0) return NumberTable(0, static_cast<Eigen::Index>(minimum_columns));
  return Eigen::Map<const NumberTable>(values.data(),
                                       static_cast<Eigen::Index>(values.size() / expected),
                                       static_cast<Eigen::Index>(expected));
}

}  // namespace pointtree::io

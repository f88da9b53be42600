#include "text_lines.hpp"

#include <algorithm>
#include <stdexcept>

#include "file_bytes.hpp"
#include "pointtree/data/read_limits.hpp"
#include "text_scanner.hpp"

namespace pointtree::data {

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
  NumberTable table;
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
      table.values.push_back(*value);
      ++columns;
    }
    if (columns == 0) continue;
    if (table.columns == 0) table.columns = columns;
    if (columns < minimum_columns || columns != table.columns) {
      fail("expected " + std::to_string(std::max(minimum_columns, table.columns)) +
           " numbers, found " + std::to_string(columns));
    }
  }
  return table;
}

}  // namespace pointtree::data

#include "text_lines.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pointtree::data {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be opened");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

}  // namespace

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::size_t first = text.find_first_not_of(" \t\r", begin);
    if (first < end) {
      const std::size_t last = text.find_last_not_of(" \t\r", end - 1);
      lines.push_back(text.substr(first, last + 1 - first));
    }
    begin = end + 1;
  }
  return lines;
}

NumberTable read_number_table(const std::filesystem::path& path, std::size_t minimum_columns) {
  const std::string text = read_text(path);
  NumberTable table;
  const char* at = text.c_str();
  const char* const end = at + text.size();
  for (std::size_t line = 1; at < end; ++line) {
    std::size_t columns = 0;
    while (at < end && *at != '\n') {
      if (is_blank(*at)) {
        ++at;
        continue;
      }
      char* after = nullptr;
      table.values.push_back(std::strtof(at, &after));
      if (after == at || !(after == end || *after == '\n' || is_blank(*after))) {
        throw std::runtime_error(path.string() + ":" + std::to_string(line) +
                                 ": expected a number");
      }
      at = after;
      ++columns;
    }
    ++at;
    if (columns == 0) continue;
    if (table.columns == 0) table.columns = columns;
    if (columns < minimum_columns || columns != table.columns) {
      throw std::runtime_error(path.string() + ":" + std::to_string(line) + ": expected " +
                               std::to_string(std::max(minimum_columns, table.columns)) +
                               " numbers, found " + std::to_string(columns));
    }
  }
  return table;
}

}  // namespace pointtree::data

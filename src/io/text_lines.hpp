// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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

/// Walks through the lines and words of a text without copying it.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  /// Where the next line or word is searched.
  std::size_t position() const { return position_; }

  /// The next line without its end, or nothing after the last.
  std::optional<std::string_view> next_line() {
    if (position_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    std::string_view line = text_.substr(position_, end - position_);
    position_ = end + 1 < text_.size() ? end + 1 : text_.size();
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  /// The next word, across line ends, or nothing after the last.
  std::optional<std::string_view> next_word() {
    while (position_ < text_.size() && is_separator(text_[position_])) ++position_;
    if (position_ >= text_.size()) return std::nullopt;
    const std::size_t first = position_;
    while (position_ < text_.size() && !is_separator(text_[position_])) ++position_;
    return text_.substr(first, position_ - first);
  }

 private:
  static bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';';
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

/// The words of one line.
inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  TextScanner scanner(line);
  while (const auto word = scanner.next_word()) words.push_back(*word);
  return words;
}

/// The word as a number of type T, or nothing where it is something else or out of range.
template <typename T>
std::optional<T> parse_number(std::string_view word) {
  if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
  T value{};
  const char* end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace pointtree::io

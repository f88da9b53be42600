// SPDX-License-Identifier: Apache-2.0
#include "pcd_header.hpp"

#include <cstdint>
#include <map>
#include <numeric>
#include <optional>

#include "text_scanner.hpp"

namespace pointtree::io {
namespace {

using Words = std::vector<std::string_view>;
using Lines = std::map<std::string_view, Words>;

constexpr std::size_t kMaxFields = 1024;
constexpr std::size_t kMaxPointBytes = 1 << 20;

[[noreturn]] void fail(std::string_view what) {
  throw ReadError("PCD header: " + std::string(what));
}

std::string quoted(std::string_view word) { return "'" + std::string(word.substr(0, 40)) + "'"; }

const Words& required(const Lines& lines, std::string_view key) {
  const auto found = lines.find(key);
  if (found == lines.end() || found->second.empty()) fail("no " + std::string(key) + " line");
  return found->second;
}

std::size_t number(std::string_view key, std::string_view word, std::uint64_t ceiling) {
  const auto value = parse_number<std::uint64_t>(word);
  if (!value || *value > ceiling) {
    fail(std::string(key) + " should be a number up to " + std::to_string(ceiling) + ", found " +
         quoted(word));
  }
  return static_cast<std::size_t>(*value);
}

ScalarType scalar_type(std::string_view letter, std::string_view size) {
  static const std::map<std::string, ScalarType, std::less<>> kTypes = {
      {"I1", ScalarType::int8},   {"I2", ScalarType::int16},  {"I4", ScalarType::int32},
      {"I8", ScalarType::int64},  {"U1", ScalarType::uint8},  {"U2", ScalarType::uint16},
      {"U4", ScalarType::uint32}, {"U8", ScalarType::uint64}, {"F4", ScalarType::float32},
      {"F8", ScalarType::float64}};
  const auto found = kTypes.find(std::string(letter) + std::string(size));
  if (found == kTypes.end())
    fail("no number has TYPE " + quoted(letter) + " and SIZE " + quoted(size));
  return found->second;
}

std::vector<PcdField> fields_of(const Lines& lines) {
  const Words& names = required(lines, "FIELDS");
  const Words& sizes = required(lines, "SIZE");
  const Words& types = required(lines, "TYPE");
  const auto counts = lines.find("COUNT");
  if (names.size() > kMaxFields) fail("more than " + std::to_string(kMaxFields) + " fields");
  if (sizes.size() != names.size() || types.size() != names.size() ||
      (counts != lines.end() && counts->second.size() != names.size())) {
    fail("FIELDS, SIZE, TYPE and COUNT should name as many fields");
  }
  std::vector<PcdField> fields;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t count =
        counts == lines.end() ? 1 : number("COUNT", counts->second[i], kMaxPointBytes);
    fields.push_back({std::string(names[i]), scalar_type(types[i], sizes[i]), count});
  }
  return fields;
}

PcdEncoding encoding_of(std::string_view word) {
  if (word == "ascii") return PcdEncoding::ascii;
  if (word == "binary") return PcdEncoding::binary;
  if (word == "binary_compressed") return PcdEncoding::binary_compressed;
  fail("DATA should be ascii, binary or binary_compressed, found " + quoted(word));
}

void take_size(const Lines& lines, const ReadLimits& limits, PcdHeader& header) {
  constexpr std::uint64_t kMax32 = UINT32_MAX;
  const auto points = lines.find("POINTS");
  header.width = number("WIDTH", required(lines, "WIDTH").front(), kMax32);
  const auto height = lines.find("HEIGHT");
  if (height != lines.end())
    header.height = number("HEIGHT", required(lines, "HEIGHT").front(), kMax32);
  header.points = header.width * header.height;  // two 32-bit numbers: no overflow
  if (points != lines.end() &&
      number("POINTS", required(lines, "POINTS").front(), UINT64_MAX) != header.points) {
    fail("POINTS should be WIDTH times HEIGHT");
  }
  if (header.points > limits.max_points) {
    fail(std::to_string(header.points) + " points are more than the ceiling of " +
         std::to_string(limits.max_points));
  }
}

}  // namespace

std::size_t PcdHeader::point_bytes() const {
  return std::accumulate(
      fields.begin(), fields.end(), std::size_t{0},
      [](std::size_t sum, const PcdField& field) { return sum + field.bytes(); });
}

std::size_t PcdHeader::values_per_point() const {
  return std::accumulate(fields.begin(), fields.end(), std::size_t{0},
                         [](std::size_t sum, const PcdField& field) { return sum + field.count; });
}

PcdHeader parse_pcd_header(std::string_view file, const ReadLimits& limits) {
  Lines lines;
  TextScanner scanner(file);
  while (lines.find("DATA") == lines.end()) {
    const auto line = scanner.next_line();
    if (!line) fail("no DATA line");
    if (line->size() > 64 * kMaxFields)
      fail("a line of " + std::to_string(line->size()) + " characters");
    Words words = words_of(*line);
    if (words.empty() || words.front().front() == '#') continue;
    const std::string_view key = words.front();
    words.erase(words.begin());
    if (!lines.emplace(key, std::move(words)).second) fail(quoted(key) + " is given twice");
    if (lines.size() > 32) fail("more than 32 lines and no DATA among them");
  }
  PcdHeader header;
  header.fields = fields_of(lines);
  header.encoding = encoding_of(required(lines, "DATA").front());
  header.size = scanner.position();
  take_size(lines, limits, header);
  if (header.point_bytes() == 0 || header.point_bytes() > kMaxPointBytes) {
    fail("a point of " + std::to_string(header.point_bytes()) + " bytes");
  }
  return header;
}

}  // namespace pointtree::io

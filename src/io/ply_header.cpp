// SPDX-License-Identifier: Apache-2.0
#include "ply_header.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "text_scanner.hpp"

namespace pointtree::io {
namespace {

constexpr std::size_t kMaxElements = 64;
constexpr std::size_t kMaxProperties = 1024;
constexpr std::size_t kMaxLine = 4096;

[[noreturn]] void fail(std::string_view what, std::string_view line) {
  throw ReadError("PLY header: " + std::string(what) + ", found '" +
                  std::string(line.substr(0, 60)) + "'");
}

ScalarType scalar_type(std::string_view name, std::string_view line) {
  static const std::map<std::string_view, ScalarType> kTypes = {
      {"char", ScalarType::int8},      {"int8", ScalarType::int8},
      {"uchar", ScalarType::uint8},    {"uint8", ScalarType::uint8},
      {"short", ScalarType::int16},    {"int16", ScalarType::int16},
      {"ushort", ScalarType::uint16},  {"uint16", ScalarType::uint16},
      {"int", ScalarType::int32},      {"int32", ScalarType::int32},
      {"uint", ScalarType::uint32},    {"uint32", ScalarType::uint32},
      {"float", ScalarType::float32},  {"float32", ScalarType::float32},
      {"double", ScalarType::float64}, {"float64", ScalarType::float64}};
  const auto found = kTypes.find(name);
  if (found == kTypes.end()) fail("a property should have a number type", line);
  return found->second;
}

PlyEncoding encoding_of(const std::vector<std::string_view>& words, std::string_view line) {
  if (words.size() == 3 && words[2] == "1.0") {
    if (words[1] == "ascii") return PlyEncoding::ascii;
    if (words[1] == "binary_little_endian") return PlyEncoding::little_endian;
    if (words[1] == "binary_big_endian") return PlyEncoding::big_endian;
  }
  fail("format should be ascii, binary_little_endian or binary_big_endian 1.0", line);
}

PlyElement element_of(const std::vector<std::string_view>& words, std::string_view line) {
  const auto count = words.size() == 3 ? parse_number<std::uint64_t>(words[2]) : std::nullopt;
  if (!count) fail("an element should have a name and a count", line);
  return {std::string(words[1]), static_cast<std::size_t>(*count), {}};
}

PlyProperty property_of(const std::vector<std::string_view>& words, std::string_view line) {
  if (words.size() == 3) return {std::string(words[2]), scalar_type(words[1], line), std::nullopt};
  if (words.size() == 5 && words[1] == "list") {
    return {std::string(words[4]), scalar_type(words[3], line), scalar_type(words[2], line)};
  }
  fail("a property should have a type and a name", line);
}

}  // namespace

std::size_t PlyElement::bytes() const {
  std::size_t sum = 0;
  for (const auto& property : properties)
    sum += size_of(property.list_length.value_or(property.type));
  return sum;
}

bool PlyElement::has_list() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& property) { return property.list_length.has_value(); });
}

PlyHeader parse_ply_header(std::string_view file) {
  TextScanner scanner(file);
  const auto magic = scanner.next_line();
  if (!magic || *magic != "ply") fail("the file should begin with 'ply'", magic.value_or(""));
  PlyHeader header;
  bool has_format = false;
  while (true) {
    const auto line = scanner.next_line();
    if (!line) throw ReadError("PLY header: no end_header");
    if (line->size() > kMaxLine) fail("a line should be shorter", *line);
    const auto words = words_of(*line);
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
    if (words[0] == "end_header") break;
    if (words[0] == "format") {
      header.encoding = encoding_of(words, *line);
      has_format = true;
    } else if (words[0] == "element" && header.elements.size() < kMaxElements) {
      header.elements.push_back(element_of(words, *line));
    } else if (words[0] == "property" && !header.elements.empty() &&
               header.elements.back().properties.size() < kMaxProperties) {
      header.elements.back().properties.push_back(property_of(words, *line));
    } else {
      fail("a format, an element or one of its properties was expected", *line);
    }
  }
  if (!has_format) throw ReadError("PLY header: no format line");
  header.size = scanner.position();
  return header;
}

}  // namespace pointtree::io

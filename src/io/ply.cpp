// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "io/text_lines.hpp"
#include "point_table.hpp"
#include "pointtree/io/read_limits.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {
namespace {

/// How a PLY file stores its elements.
enum class PlyEncoding { ascii, little_endian, big_endian };

/// One property of an element: a number, or a list preceded by its length.
struct PlyProperty {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::optional<ScalarType> list_length;
};

/// A kind of element and how many there are.
struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;

  /// Bytes of one element; of lists only the length counts, so with lists this is the least it can
  /// have.
  std::size_t bytes() const;
  bool has_list() const;
};

/// A PLY header.
struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t size = 0;  ///< bytes of the header; the elements follow
};

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

/// Parses a header; throws ReadError naming the line that is wrong.
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

[[noreturn]] void fail_short(const PlyElement& element, std::size_t found) {
  throw ReadError("PLY: " + std::to_string(element.count) + " elements '" + element.name +
                  "' are promised, the " + std::to_string(found) +
                  " bytes there are can't hold them");
}

/// Reads elements one after the other from either encoding.
class PlyBody {
 public:
  PlyBody(ByteView bytes, PlyEncoding encoding)
      : bytes_(bytes), encoding_(encoding), reader_(bytes, "PLY"), scanner_(bytes.text()) {}

  void skip(const PlyElement& element) {
    check_promise(element);
    if (!is_ascii() && !element.has_list()) {
      reader_.bytes(element.count * element.bytes());
      return;
    }
    if (element.properties.empty()) return;
    for (std::size_t i = 0; i < element.count; ++i) walk(element, nullptr);
  }

  /// The element's plain numbers, interleaved; lists are left out.
  Bytes take(const PlyElement& element) {
    check_promise(element);
    std::size_t step = 0;
    for (const auto& property : element.properties)
      step += property.list_length ? 0 : size_of(property.type);
    Bytes out(element.count * step);
    for (std::size_t i = 0; i < element.count && step > 0; ++i)
      walk(element, out.data() + i * step);
    return out;
  }

 private:
  bool is_ascii() const { return encoding_ == PlyEncoding::ascii; }
  std::size_t left() const {
    return is_ascii() ? bytes_.size - scanner_.position() : reader_.remaining();
  }

  /// Every value takes its bytes, or a character and a separator, so an impossible count is seen
  /// before any allocation.
  void check_promise(const PlyElement& element) const {
    const std::size_t least = is_ascii() ? 2 * element.properties.size() : element.bytes();
    if (least > 0 && element.count > (left() + 1) / least) fail_short(element, left());
  }

  void walk(const PlyElement& element, std::uint8_t* out) {
    for (const auto& property : element.properties) {
      std::size_t repeats = 1;
      if (property.list_length) repeats = list_length(*property.list_length, element);
      for (std::size_t k = 0; k < repeats; ++k) {
        const double value = number(property.type, element);
        if (out == nullptr || property.list_length) continue;
        store_scalar(out, property.type, value);
        out += size_of(property.type);
      }
    }
  }

  double number(ScalarType type, const PlyElement& element) {
    if (!is_ascii()) {
      return load_scalar(reader_.bytes(size_of(type)).data, type,
                         encoding_ == PlyEncoding::big_endian);
    }
    const auto word = scanner_.next_word();
    const auto value = word ? parse_number<double>(*word) : std::nullopt;
    if (!value) {
      throw ReadError(
          "PLY: element '" + element.name + "' should hold a number, found " +
          (word ? "'" + std::string(word->substr(0, 40)) + "'" : "the end of the file"));
    }
    return *value;
  }

  std::size_t list_length(ScalarType type, const PlyElement& element) {
    const double length = number(type, element);
    if (!(length >= 0.0 && length <= static_cast<double>(left()))) fail_short(element, left());
    return static_cast<std::size_t>(length);
  }

  ByteView bytes_;
  PlyEncoding encoding_;
  ByteReader reader_;
  TextScanner scanner_;
};

std::vector<Column> columns_of(const PlyElement& element) {
  std::vector<Column> columns;
  std::size_t offset = 0;
  for (const auto& property : element.properties) {
    if (property.list_length) continue;
    columns.push_back({property.name, property.type, offset, 0});
    offset += size_of(property.type);
  }
  for (auto& column : columns) column.stride = offset;
  return columns;
}

}  // namespace

Cloud parse_ply(ByteView file, const ReadLimits& limits) {
  const PlyHeader header = parse_ply_header(file.text());
  PlyBody body({file.data + header.size, file.size - header.size}, header.encoding);
  for (const auto& element : header.elements) {
    if (element.name != "vertex") {
      body.skip(element);
      continue;
    }
    if (element.count > limits.max_points) {
      throw ReadError("PLY: " + std::to_string(element.count) +
                      " vertices are more than the ceiling of " +
                      std::to_string(limits.max_points));
    }
    const Bytes points = body.take(element);
    PointTable table;
    table.columns = columns_of(element);
    table.bytes = points;
    table.count = element.count;
    return cloud_from(table);
  }
  throw ReadError("PLY: the file has no element 'vertex'");
}

void write_ply(const std::filesystem::path& path, const Cloud& cloud) {
  PackedPoints packed = pack_points(cloud);
  std::ostringstream header;
  header << "ply\nformat binary_little_endian 1.0\nelement vertex " << cloud.points.rows() << '\n';
  for (const auto& column : packed.columns) {
    if (column.name == "rgb") continue;
    header << "property " << (column.type == ScalarType::int32 ? "int " : "float ") << column.name
           << '\n';
  }
  if (!cloud.colours.empty()) {
    // PLY knows single channels only; the packed colour's bytes are blue, green, red and one that
    // is always zero.
    header << "property uchar blue\nproperty uchar green\nproperty uchar red\nproperty uchar "
              "padding\n";
  }
  header << "end_header\n";
  write_file(path, {bytes_of(header.str()), packed.bytes});
}

}  // namespace pointtree::io

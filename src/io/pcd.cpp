// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "io/compression.hpp"
#include "io/text_lines.hpp"
#include "point_table.hpp"
#include "pointtree/io/read_limits.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {
namespace {

/// How a PCD file stores its points.
enum class PcdEncoding { ascii, binary, binary_compressed };

/// One field of every point; `count` numbers of the same type.
struct PcdField {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::size_t count = 1;

  std::size_t bytes() const { return size_of(type) * count; }
};

/// A PCD header that is consistent in itself; whether the points are there is for the reader to
/// check.
struct PcdHeader {
  std::vector<PcdField> fields;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t points = 0;
  PcdEncoding encoding = PcdEncoding::ascii;
  std::size_t size = 0;  ///< bytes of the header; the points follow

  std::size_t point_bytes() const;
  std::size_t values_per_point() const;
};

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

std::size_t PcdHeader::point_bytes() const {
  return std::accumulate(
      fields.begin(), fields.end(), std::size_t{0},
      [](std::size_t sum, const PcdField& field) { return sum + field.bytes(); });
}

std::size_t PcdHeader::values_per_point() const {
  return std::accumulate(fields.begin(), fields.end(), std::size_t{0},
                         [](std::size_t sum, const PcdField& field) { return sum + field.count; });
}

/// Parses and validates a header; throws ReadError naming the line that is wrong.
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

[[noreturn]] void fail_short(const PcdHeader& header, std::size_t found) {
  throw ReadError("PCD: " + std::to_string(header.points) + " points of " +
                  std::to_string(header.point_bytes()) + " bytes are promised, " +
                  std::to_string(found) + " bytes follow the header");
}

/// Columns of points that lie one after the other; only the first number of a field is of interest.
std::vector<Column> interleaved(const PcdHeader& header) {
  std::vector<Column> columns;
  std::size_t offset = 0;
  for (const auto& field : header.fields) {
    if (field.count > 0) columns.push_back({field.name, field.type, offset, header.point_bytes()});
    offset += field.bytes();
  }
  return columns;
}

/// Columns of a cloud that stores all numbers of one field, then all of the next.
std::vector<Column> planar(const PcdHeader& header) {
  std::vector<Column> columns;
  std::size_t offset = 0;
  for (const auto& field : header.fields) {
    if (field.count > 0) columns.push_back({field.name, field.type, offset, field.bytes()});
    offset += field.bytes() * header.points;
  }
  return columns;
}

/// Numbers written as text, in the binary layout that the header declares.
Bytes binary_from_text(const PcdHeader& header, ByteView text) {
  // A value takes a character and a separator, so a header that promises more than that is lying.
  if (header.points > (text.size + 1) / 2 / header.values_per_point())
    fail_short(header, text.size);
  Bytes bytes(header.points * header.point_bytes());
  std::uint8_t* at = bytes.data();
  TextScanner scanner(text.text());
  for (std::size_t i = 0; i < header.points; ++i) {
    for (const auto& field : header.fields) {
      for (std::size_t k = 0; k < field.count; ++k, at += size_of(field.type)) {
        const auto word = scanner.next_word();
        const auto value = word ? parse_number<double>(*word) : std::nullopt;
        if (!value) {
          throw ReadError(
              "PCD: field '" + field.name + "' of point " + std::to_string(i) +
              " should be a number, found " +
              (word ? "'" + std::string(word->substr(0, 40)) + "'" : "the end of the file"));
        }
        store_scalar(at, field.type, *value);
      }
    }
  }
  return bytes;
}

Bytes unpack(const PcdHeader& header, ByteView payload, const ReadLimits& limits) {
  ByteReader reader(payload, "PCD");
  const std::uint32_t packed_size = reader.u32();
  const std::uint32_t size = reader.u32();
  if (size != header.points * header.point_bytes()) fail_short(header, size);
  if (size > limits.max_unpacked_bytes) {
    throw ReadError("PCD: " + std::to_string(size) +
                    " unpacked bytes are more than the ceiling of " +
                    std::to_string(limits.max_unpacked_bytes));
  }
  return lzf_unpack(reader.bytes(packed_size), size);
}

}  // namespace

Cloud parse_pcd(ByteView file, const ReadLimits& limits) {
  const PcdHeader header = parse_pcd_header(file.text(), limits);
  const ByteView payload(file.data + header.size, file.size - header.size);
  PointTable table;
  table.count = header.points;
  Bytes owned;
  switch (header.encoding) {
    case PcdEncoding::binary:
      if (header.points > payload.size / header.point_bytes()) fail_short(header, payload.size);
      table.columns = interleaved(header);
      table.bytes = payload;
      break;
    case PcdEncoding::ascii:
      owned = binary_from_text(header, payload);
      table.columns = interleaved(header);
      table.bytes = owned;
      break;
    case PcdEncoding::binary_compressed:
      owned = unpack(header, payload, limits);
      table.columns = planar(header);
      table.bytes = owned;
      break;
  }
  Cloud cloud = cloud_from(table);
  cloud.width = static_cast<std::uint32_t>(header.width);
  cloud.height = static_cast<std::uint32_t>(header.height);
  return cloud;
}

void write_pcd(const std::filesystem::path& path, const Cloud& cloud) {
  const PackedPoints packed = pack_points(cloud);
  std::ostringstream fields, sizes, types, counts;
  for (const auto& column : packed.columns) {
    const bool is_float = column.type == ScalarType::float32;
    fields << ' ' << column.name;
    sizes << ' ' << size_of(column.type);
    types << ' ' << (is_float ? 'F' : column.type == ScalarType::int32 ? 'I' : 'U');
    counts << " 1";
  }
  std::ostringstream header;
  header << "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS" << fields.str()
         << "\nSIZE" << sizes.str() << "\nTYPE" << types.str() << "\nCOUNT" << counts.str()
         << "\nWIDTH " << packed.width << "\nHEIGHT " << packed.height
         << "\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " << cloud.points.rows() << "\nDATA binary\n";
  write_file(path, {bytes_of(header.str()), packed.bytes});
}

}  // namespace pointtree::io

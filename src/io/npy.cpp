// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/text_lines.hpp"
#include "point_table.hpp"

namespace pointtree::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxDimensions = 8;

[[noreturn]] void fail(std::string_view what, std::string_view found) {
  throw ReadError("npy: " + std::string(what) + ", found '" + std::string(found.substr(0, 60)) +
                  "'");
}

/// The text after `'key':` in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos)
    fail("the header should have '" + std::string(key) + "'", header);
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

void take_type(std::string_view value, NpyArray& array) {
  static const std::map<std::string_view, ScalarType> kTypes = {
      {"i1", ScalarType::int8},    {"u1", ScalarType::uint8},  {"b1", ScalarType::uint8},
      {"i2", ScalarType::int16},   {"u2", ScalarType::uint16}, {"i4", ScalarType::int32},
      {"u4", ScalarType::uint32},  {"i8", ScalarType::int64},  {"u8", ScalarType::uint64},
      {"f4", ScalarType::float32}, {"f8", ScalarType::float64}};
  const bool quoted = value.size() >= 5 && value.front() == '\'' && value[4] == '\'';
  const auto found = quoted ? kTypes.find(value.substr(2, 2)) : kTypes.end();
  if (found == kTypes.end() || std::string_view("<>|=").find(value[1]) == std::string_view::npos) {
    fail("descr should be one number type", value);
  }
  array.type = found->second;
  array.big_endian = value[1] == '>';
}

void take_shape(std::string_view value, NpyArray& array) {
  const std::size_t close = value.find(')');
  if (value.empty() || value.front() != '(' || close == std::string_view::npos) {
    fail("shape should be a tuple", value);
  }
  for (const auto word : words_of(value.substr(1, close - 1))) {
    const auto extent = parse_number<std::uint64_t>(word);
    if (!extent || array.shape.size() == kMaxDimensions)
      fail("shape should hold up to 8 numbers", value);
    array.shape.push_back(static_cast<std::size_t>(*extent));
  }
}

/// Bytes that the shape asks for, or nothing where that is beyond `ceiling`.
std::size_t bytes_of_shape(const NpyArray& array, std::uint64_t ceiling) {
  if (std::find(array.shape.begin(), array.shape.end(), 0) != array.shape.end()) return 0;
  std::uint64_t bytes = size_of(array.type);
  for (const std::size_t extent : array.shape) {
    if (extent > ceiling / bytes) {
      throw ReadError("npy: the shape asks for more than the " + std::to_string(ceiling) +
                      " bytes there are");
    }
    bytes *= extent;
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

NpyArray parse_npy(ByteView file, const ReadLimits& limits) {
  ByteReader reader(file, "npy");
  if (reader.bytes(kMagic.size()).text() != kMagic)
    fail("the file should begin with \\x93NUMPY", "");
  const std::uint8_t version = reader.u8();
  reader.u8();
  if (version < 1 || version > 3) fail("the version should be 1 to 3", std::to_string(version));
  const std::size_t length = version == 1 ? reader.u16() : reader.u32();
  const std::string_view header = reader.bytes(length).text();

  NpyArray array;
  take_type(value_of(header, "descr"), array);
  const std::string_view order = value_of(header, "fortran_order");
  if (order.substr(0, 4) != "True" && order.substr(0, 5) != "False") {
    fail("fortran_order should be True or False", order);
  }
  array.column_major = order.front() == 'T';
  take_shape(value_of(header, "shape"), array);
  const std::uint64_t ceiling =
      std::min<std::uint64_t>(reader.remaining(), limits.max_unpacked_bytes);
  const ByteView content = reader.bytes(bytes_of_shape(array, ceiling));
  array.bytes.assign(content.begin(), content.end());
  return array;
}

Cloud cloud_from(const NpyArray& rows, const ReadLimits& limits) {
  if (rows.shape.size() != 2 || rows.shape[1] < 3) {
    throw ReadError("npy: a cloud should have the shape [n, 3] or [n, 4]");
  }
  const std::size_t count = rows.shape[0];
  if (count > limits.max_points) {
    throw ReadError("npy: " + std::to_string(count) + " points are more than the ceiling of " +
                    std::to_string(limits.max_points));
  }
  const std::size_t width = size_of(rows.type);
  const std::size_t columns = rows.shape[1] == 4 ? 4 : 3;
  PointTable table;
  for (std::size_t i = 0; i < columns; ++i) {
    static constexpr const char* kNames[] = {"x", "y", "z", "intensity"};
    const std::size_t offset = width * (rows.column_major ? i * count : i);
    table.columns.push_back(
        {kNames[i], rows.type, offset, rows.column_major ? width : width * rows.shape[1]});
  }
  table.bytes = rows.bytes;
  table.count = count;
  table.big_endian = rows.big_endian;
  return cloud_from(table);
}

void write_npy(const std::filesystem::path& path, const Cloud& cloud) {
  Cloud kept;
  kept.points = cloud.points;
  kept.intensity = cloud.intensity;
  const PackedPoints packed = pack_points(kept);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(cloud.points.rows()) + ", " +
                       std::to_string(packed.columns.size()) + "), }";
  // Magic, version and length take ten bytes; the data begins at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header.push_back('\n');
  const Bytes front = {0x93,
                       'N',
                       'U',
                       'M',
                       'P',
                       'Y',
                       1,
                       0,
                       static_cast<std::uint8_t>(header.size() & 0xFF),
                       static_cast<std::uint8_t>(header.size() >> 8)};
  write_file(path, {front, bytes_of(header), packed.bytes});
}

}  // namespace pointtree::io

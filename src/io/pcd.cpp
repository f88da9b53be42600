// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <sstream>
#include <string>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "io/compression.hpp"
#include "pcd_header.hpp"
#include "point_table.hpp"
#include "text_scanner.hpp"

namespace pointtree::io {
namespace {

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

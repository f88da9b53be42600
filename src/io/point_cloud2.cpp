// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/point_cloud2.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/cdr.hpp"
#include "io/message_header.hpp"
#include "point_table.hpp"

namespace pointtree::io {
namespace {

constexpr ScalarType kDatatypes[] = {ScalarType::int8,    ScalarType::uint8,  ScalarType::int16,
                                     ScalarType::uint16,  ScalarType::int32,  ScalarType::uint32,
                                     ScalarType::float32, ScalarType::float64};

// Four numbers and an empty text, before any padding.
constexpr std::size_t kLeastFieldBytes = 13;

ScalarType scalar_type(const PointField& field) {
  if (field.datatype < 1 || field.datatype > std::size(kDatatypes)) {
    throw ReadError("PointCloud2: field '" + field.name +
                    "' should have a datatype from 1 to 8, found " +
                    std::to_string(field.datatype));
  }
  return kDatatypes[field.datatype - 1];
}

void check_layout(const PointCloud2Message& message, const ReadLimits& limits) {
  const std::uint64_t points = std::uint64_t{message.width} * message.height;
  if (points > limits.max_points) {
    throw ReadError("PointCloud2: " + std::to_string(points) +
                    " points are more than the ceiling of " + std::to_string(limits.max_points));
  }
  if (points == 0) return;
  const std::uint64_t row = std::uint64_t{message.width} * message.point_step;
  if (message.point_step == 0 || message.row_step < row) {
    throw ReadError("PointCloud2: a row of " + std::to_string(message.width) + " points of " +
                    std::to_string(message.point_step) + " bytes does not fit into row_step " +
                    std::to_string(message.row_step));
  }
  // The last row needs no padding.
  const std::uint64_t needed = std::uint64_t{message.row_step} * (message.height - 1) + row;
  if (needed > message.data.size) {
    throw ReadError("PointCloud2: " + std::to_string(needed) + " bytes of points expected, found " +
                    std::to_string(message.data.size));
  }
}

std::vector<Column> columns_of(const PointCloud2Message& message) {
  std::vector<Column> columns;
  for (const auto& field : message.fields) {
    if (field.count == 0) continue;
    const ScalarType type = scalar_type(field);
    if (field.offset > message.point_step || size_of(type) > message.point_step - field.offset) {
      throw ReadError("PointCloud2: field '" + field.name + "' at offset " +
                      std::to_string(field.offset) + " leaves the point of " +
                      std::to_string(message.point_step) + " bytes");
    }
    columns.push_back({field.name, type, field.offset, message.point_step});
  }
  return columns;
}

/// The rows without the padding between them.
Bytes packed_rows(const PointCloud2Message& message) {
  const std::size_t row = std::size_t{message.width} * message.point_step;
  Bytes rows;
  rows.reserve(row * message.height);
  for (std::size_t i = 0; i < message.height; ++i) {
    const std::uint8_t* first = message.data.data + i * message.row_step;
    rows.insert(rows.end(), first, first + row);
  }
  return rows;
}

}  // namespace

MessageHeader make_header(std::int64_t nanoseconds, std::string frame_id) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t sec = nanoseconds / kSecond;
  if (nanoseconds % kSecond < 0) --sec;
  return {static_cast<std::int32_t>(sec), static_cast<std::uint32_t>(nanoseconds - sec * kSecond),
          std::move(frame_id)};
}

PointCloud2Message decode_point_cloud2(ByteView cdr) {
  CdrReader reader(cdr);
  PointCloud2Message message;
  message.header = read_header(reader);
  message.height = reader.u32();
  message.width = reader.u32();
  message.fields.resize(reader.sequence(kLeastFieldBytes));
  for (auto& field : message.fields) {
    field.name = std::string(reader.text());
    field.offset = reader.u32();
    field.datatype = reader.u8();
    field.count = reader.u32();
  }
  message.is_bigendian = reader.boolean();
  message.point_step = reader.u32();
  message.row_step = reader.u32();
  message.data = reader.byte_sequence();
  message.is_dense = reader.boolean();
  return message;
}

Bytes encode_point_cloud2(const PointCloud2Message& message, bool big_endian) {
  CdrWriter writer(big_endian);
  write_header(writer, message.header);
  writer.u32(message.height);
  writer.u32(message.width);
  writer.sequence(message.fields.size());
  for (const auto& field : message.fields) {
    writer.text(field.name);
    writer.u32(field.offset);
    writer.u8(field.datatype);
    writer.u32(field.count);
  }
  writer.boolean(message.is_bigendian);
  writer.u32(message.point_step);
  writer.u32(message.row_step);
  writer.byte_sequence(message.data);
  writer.boolean(message.is_dense);
  return writer.finish();
}

Cloud cloud_from(const PointCloud2Message& message, const ReadLimits& limits) {
  check_layout(message, limits);
  PointTable table;
  table.columns = columns_of(message);
  table.count = std::size_t{message.width} * message.height;
  table.big_endian = message.is_bigendian;
  Bytes rows;
  const bool padded = message.row_step != std::uint64_t{message.width} * message.point_step;
  if (padded && table.count > 0) {
    rows = packed_rows(message);
    table.bytes = rows;
  } else {
    table.bytes = message.data;
  }
  Cloud cloud = cloud_from(table);
  cloud.width = message.width;
  cloud.height = message.height;
  return cloud;
}

PointCloud2Message make_point_cloud2(const Cloud& cloud, MessageHeader header) {
  PackedPoints packed = pack_points(cloud);
  PointCloud2Message message;
  message.header = std::move(header);
  message.width = static_cast<std::uint32_t>(packed.width);
  message.height = static_cast<std::uint32_t>(packed.height);
  for (const auto& column : packed.columns) {
    const auto* type = std::find(std::begin(kDatatypes), std::end(kDatatypes), column.type);
    message.fields.push_back({column.name, static_cast<std::uint32_t>(column.offset),
                              static_cast<std::uint8_t>(type - std::begin(kDatatypes) + 1), 1});
  }
  message.point_step = static_cast<std::uint32_t>(packed.columns.front().stride);
  message.row_step = message.point_step * message.width;
  message.is_dense = cloud.points.allFinite();
  message.storage = std::make_shared<const Bytes>(std::move(packed.bytes));
  message.data = *message.storage;
  return message;
}

}  // namespace pointtree::io

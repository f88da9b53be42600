// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/point_cloud2.hpp"

#include <utility>

#include "io/cdr.hpp"
#include "point_table.hpp"

namespace pointtree::io {
namespace {

// Four numbers and an empty text, before any padding.
constexpr std::size_t kLeastFieldBytes = 13;

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
    field.type = static_cast<ScalarType>(reader.u8());
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
    writer.u8(static_cast<std::uint8_t>(field.type));
    writer.u32(field.count);
  }
  writer.boolean(message.is_bigendian);
  writer.u32(message.point_step);
  writer.u32(message.row_step);
  writer.byte_sequence(message.data);
  writer.boolean(message.is_dense);
  return writer.finish();
}

PointCloud2Message make_point_cloud2(const Cloud& cloud, MessageHeader header) {
  PackedPoints packed = pack_points(cloud);
  PointCloud2Message message;
  message.header = std::move(header);
  message.width = static_cast<std::uint32_t>(packed.width);
  message.height = static_cast<std::uint32_t>(packed.height);
  for (const auto& column : packed.columns) {
    message.fields.push_back(
        {column.name, static_cast<std::uint32_t>(column.offset), column.type, 1});
  }
  message.point_step = static_cast<std::uint32_t>(packed.columns.front().stride);
  message.row_step = message.point_step * message.width;
  message.is_dense = cloud.points.allFinite();
  message.storage = std::make_shared<const Bytes>(std::move(packed.bytes));
  message.data = *message.storage;
  return message;
}

Bytes encode_transforms(const std::vector<TransformMessage>& transforms, bool big_endian) {
  CdrWriter writer(big_endian);
  writer.sequence(transforms.size());
  for (const auto& transform : transforms) {
    write_header(writer, transform.header);
    writer.text(transform.child_frame_id);
    for (int i = 0; i < 3; ++i) writer.f64(transform.translation[i]);
    for (int i = 0; i < 4; ++i) writer.f64(transform.rotation.coeffs()[i]);
  }
  return writer.finish();
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/point_cloud2.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// Takes values from a serialized ROS 2 message (plain CDR with its 4-byte encapsulation header,
/// either byte order).
///
/// Numbers are aligned to their size, counted from behind the header. Nothing is copied and no
/// length is believed: whatever lies beyond the end is a ReadError.
class CdrReader {
 public:
  explicit CdrReader(ByteView message);

  bool big_endian() const { return big_endian_; }
  std::size_t remaining() const { return bytes_.size - position_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  bool boolean() { return u8() != 0; }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::uint64_t u64() { return number(8); }
  float f32();
  double f64();

  /// A text; its terminating zero is checked and left out.
  std::string_view text();

  /// The length of a sequence whose elements take at least `least_bytes` each.
  std::uint32_t sequence(std::size_t least_bytes);

  /// A sequence of bytes.
  ByteView byte_sequence();

 private:
  std::uint64_t number(std::size_t width);
  const std::uint8_t* take(std::size_t count, std::size_t alignment);

  ByteView bytes_;  // behind the header
  std::size_t position_ = 0;
  bool big_endian_ = false;
};

/// Appends values to a serialized ROS 2 message; the counterpart of CdrReader.
class CdrWriter {
 public:
  explicit CdrWriter(bool big_endian = false);

  void u8(std::uint8_t value) { number(value, 1); }
  void boolean(bool value) { number(value ? 1 : 0, 1); }
  void u16(std::uint16_t value) { number(value, 2); }
  void u32(std::uint32_t value) { number(value, 4); }
  void i32(std::int32_t value) { number(static_cast<std::uint32_t>(value), 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  void f32(float value);
  void f64(double value);

  /// A text with its terminating zero.
  void text(std::string_view value);

  /// The length of a sequence, whose elements follow; throws std::length_error beyond 32 bits.
  void sequence(std::size_t count);

  /// A sequence of bytes.
  void byte_sequence(ByteView bytes);

  /// The finished message.
  Bytes finish() { return std::move(bytes_); }

 private:
  void number(std::uint64_t value, std::size_t width);

  Bytes bytes_;
  bool big_endian_;
};

/// std_msgs/msg/Header as a part of a serialized message.
inline MessageHeader read_header(CdrReader& reader) {
  MessageHeader header;
  header.sec = reader.i32();
  header.nanosec = reader.u32();
  header.frame_id = std::string(reader.text());
  return header;
}

/// The counterpart of read_header().
inline void write_header(CdrWriter& writer, const MessageHeader& header) {
  writer.i32(header.sec);
  writer.u32(header.nanosec);
  writer.text(header.frame_id);
}

/// geometry_msgs/msg/TransformStamped: takes points of the child's frame into the header's frame.
struct TransformMessage {
  MessageHeader header;
  std::string child_frame_id;
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// The ROS name of the type.
inline constexpr std::string_view kTransformsType = "tf2_msgs/msg/TFMessage";

/// Serializes tf2_msgs/msg/TFMessage.
Bytes encode_transforms(const std::vector<TransformMessage>& transforms, bool big_endian = false);

}  // namespace pointtree::io

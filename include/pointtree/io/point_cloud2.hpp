// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {

/// std_msgs/msg/Header.
struct MessageHeader {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  std::string frame_id;

  /// The stamp in nanoseconds since the epoch.
  std::int64_t nanoseconds() const { return std::int64_t{sec} * 1'000'000'000 + nanosec; }
};

/// A header with the stamp given in nanoseconds since the epoch.
MessageHeader make_header(std::int64_t nanoseconds, std::string frame_id);

/// sensor_msgs/msg/PointField.
struct PointField {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes from the start of the point
  ScalarType type = ScalarType::float32;
  std::uint32_t count = 1;
};

/// sensor_msgs/msg/PointCloud2 as it was sent: nothing but the message's own length has been
/// checked. A CloudView checks the rest.
struct PointCloud2Message {
  MessageHeader header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<PointField> fields;
  bool is_bigendian = false;
  std::uint32_t point_step = 0;  ///< bytes from one point to the next
  std::uint32_t row_step = 0;    ///< bytes from one row to the next; not used by a single row
  ByteView data;
  bool is_dense = false;
  std::shared_ptr<const Bytes>
      storage;  ///< what `data` points into where the message owns its bytes
};

/// The ROS name of the type.
inline constexpr std::string_view kPointCloud2Type = "sensor_msgs/msg/PointCloud2";

/// Decodes a serialized message; `data` points into `cdr` and must not outlive it. Throws
/// ReadError.
PointCloud2Message decode_point_cloud2(ByteView cdr);

/// Serializes a message.
Bytes encode_point_cloud2(const PointCloud2Message& message, bool big_endian = false);

/// A message that owns its bytes: x y z and the attributes that the cloud has.
PointCloud2Message make_point_cloud2(const Cloud& cloud, MessageHeader header);

}  // namespace pointtree::io

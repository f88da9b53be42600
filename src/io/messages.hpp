// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <vector>

#include "io/cdr.hpp"
#include "pointtree/io/point_cloud2.hpp"

namespace pointtree::io {

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

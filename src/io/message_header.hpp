// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

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

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// What a rosbag2 folder's metadata.yaml says, as far as a reader needs it.
struct BagMetadata {
  std::string storage_identifier;
  std::vector<std::string> files;  ///< plain names, in the order of recording
  bool packed_files = false;       ///< every file is zstd-compressed as a whole
  bool packed_messages = false;    ///< every message is zstd-compressed
};

/// Parses a metadata.yaml. Paths are reduced to their last component, as rosbag2 itself has
/// prefixed them differently over time, so none leaves the folder. Throws ReadError.
BagMetadata parse_bag_metadata(std::string_view yaml);

/// The text of a metadata.yaml for one MCAP file; version 5, which every rosbag2 since Humble
/// reads.
std::string bag_metadata_text(const std::string& file, const std::vector<BagTopic>& topics,
                              std::int64_t start_time, std::int64_t end_time);

/// The definition of a message type with those it refers to, in the form that bags keep (encoding
/// ros2msg), or an empty text for a type that is not known here.
std::string message_definition(std::string_view type);

}  // namespace pointtree::io

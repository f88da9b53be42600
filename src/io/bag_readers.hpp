// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "byte_source.hpp"
#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// Opens an MCAP file; throws ReadError where it does not begin as one.
std::unique_ptr<BagReader> open_mcap(std::unique_ptr<ByteSource> source, const ReadLimits& limits);

/// Opens a rosbag2 SQLite file; throws ReadError where it is none or nothing in it can be read.
std::unique_ptr<BagReader> open_sqlite_bag(const std::filesystem::path& path,
                                           const ReadLimits& limits);

/// Several files read as one bag in the order of log times; a file is only read from when its time
/// has come. Where messages are zstd-compressed one by one, they are unpacked up to the ceiling.
std::unique_ptr<BagReader> merge_bags(std::vector<std::unique_ptr<BagReader>> parts,
                                      bool packed_messages, const ReadLimits& limits);

/// What the plugin offers: opens a bag by rosbag2_cpp; throws std::exception where it can't.
using OpenRosbag2 = BagReader* (*)(const char* path);
constexpr const char* kOpenRosbag2Symbol = "pointtree_open_rosbag2";

/// The plugin's function, or why there is none. The plugin lies beside this library where the
/// package was built with rosbag2_cpp; everything else needs no ROS.
tl::expected<OpenRosbag2, std::string> rosbag2_plugin();

/// Adds a finding in words; a bag that is wrong throughout must not fill the memory with its
/// description.
inline void note(BagReport& report, const std::string& what) {
  constexpr std::size_t kMaxNotes = 16;
  if (report.notes.size() == kMaxNotes) return;
  if (std::find(report.notes.begin(), report.notes.end(), what) == report.notes.end())
    report.notes.push_back(what);
}

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

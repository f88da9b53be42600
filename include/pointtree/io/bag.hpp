// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/geometry/enum_names.hpp"
#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// A topic of a bag.
struct BagTopic {
  std::string name;
  std::string type;                 ///< for example sensor_msgs/msg/PointCloud2
  std::string definition;           ///< text of the message definition, where the bag has it
  std::string definition_encoding;  ///< ros2msg or ros2idl, where there is a definition
  std::string serialization_format = "cdr";
  std::string offered_qos_profiles;  ///< YAML as rosbag2 keeps it
  std::uint64_t message_count = 0;
};

/// A message as it was recorded; everything but the times is valid until the next message is asked
/// for.
struct BagMessage {
  std::string_view topic;
  std::string_view type;
  std::int64_t log_time = 0;      ///< nanoseconds since the epoch, when it was recorded
  std::int64_t publish_time = 0;  ///< when it was sent, where the bag knows; otherwise the log time
  ByteView data;
};

/// Which messages to read: of all topics where `topics` is empty, logged at or after `begin` and
/// before `end`.
struct BagSelection {
  std::vector<std::string> topics;
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
};

/// What was wrong with a bag that could nevertheless be read.
struct BagReport {
  bool indexed = true;     ///< false: the bag had no usable summary, and was searched instead
  bool truncated = false;  ///< the end is missing, as after a crash or a full disk
  std::uint64_t damaged_chunks =
      0;  ///< left out because they fail their checksum or can't be unpacked
  std::uint64_t lost_messages =
      0;  ///< left out one by one: unreadable, or of a channel that is not described
  std::uint64_t recovered = 0;     ///< whole messages found in a bag that is truncated or damaged
  std::vector<std::string> notes;  ///< the first few findings in words
};

/// Yields the messages of a recording in the order of their log times, holding only a few chunks in
/// memory.
///
/// This is the seam for other backends: the one over rosbag2_cpp answers the same questions.
class BagReader {
 public:
  BagReader() = default;
  BagReader(const BagReader&) = delete;
  BagReader& operator=(const BagReader&) = delete;
  virtual ~BagReader() = default;

  virtual const std::vector<BagTopic>& topics() const = 0;

  /// Log times of the first and the last message; both 0 in an empty bag.
  virtual std::int64_t start_time() const = 0;
  virtual std::int64_t end_time() const = 0;

  /// Chooses what next() yields and goes back to the beginning of it.
  virtual void select(const BagSelection& selection) = 0;

  /// The next message, or nothing after the last.
  virtual std::optional<BagMessage> next() = 0;

  /// What was found wrong so far; complete once next() has given nothing.
  virtual const BagReport& report() const = 0;

  /// Messages of all topics.
  std::uint64_t message_count() const;
};

/// Who reads a bag.
enum class BagBackend {
  automatic,  ///< rosbag2_cpp what rosbag2 finished, where it is at hand; all else this package
  own,        ///< this package, which also reads what is damaged
  rosbag2,    ///< rosbag2_cpp, with the storage plugins of the ROS 2 that is sourced
};

constexpr std::array<std::string_view, 3> names_of(BagBackend /*of*/) {
  return {"auto", "own", "rosbag2"};
}

/// Opens a rosbag2 folder (metadata.yaml, split bags, zstd by file or by message) or a single .mcap
/// or .db3 file. A folder without metadata.yaml, as a killed recorder leaves it, is read by the
/// files in it. Throws ReadError. The limits are for the own reader.
std::unique_ptr<BagReader> open_bag(const std::filesystem::path& path,
                                    const ReadLimits& limits = {},
                                    BagBackend backend = BagBackend::automatic);

/// Whether open_bag has something to open here: a bag folder or a file with a bag's extension.
bool is_bag(const std::filesystem::path& path);

/// Reads an MCAP file in memory, which must outlive the reader.
std::unique_ptr<BagReader> read_mcap(ByteView file, const ReadLimits& limits = {});

/// Reads an SQLite bag in memory, which must outlive the reader.
std::unique_ptr<BagReader> read_sqlite_bag(ByteView file, const ReadLimits& limits = {});

}  // namespace pointtree::io

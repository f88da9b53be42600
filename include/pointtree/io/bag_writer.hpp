// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// How the chunks of a bag are packed.
enum class BagCompression { none, lz4, zstd };

/// How a bag is written.
struct BagWriterOptions {
  BagCompression compression = BagCompression::zstd;
  std::size_t chunk_bytes =
      1 << 20;  ///< a chunk is written once it holds as much; what a crash can cost
};

/// Writes an MCAP bag: chunked, indexed, with schemas, statistics and checksums.
///
/// A chunk goes to the file in one piece, so a writer that is killed leaves a file whose whole
/// chunks can be read.
class BagWriter {
 public:
  /// Writes the file where the path ends in .mcap, replacing what is there; otherwise a rosbag2
  /// folder with metadata.yaml, which must not exist or be empty. Throws std::runtime_error where
  /// it can't.
  explicit BagWriter(const std::filesystem::path& path, const BagWriterOptions& options = {});

  /// Closes the bag; errors are lost here, so call close() first where they matter.
  ~BagWriter();
  BagWriter(const BagWriter&) = delete;
  BagWriter& operator=(const BagWriter&) = delete;

  /// Adds a topic and returns its number. Where it has no definition and the type is a known one,
  /// that is put in.
  std::size_t add_topic(const BagTopic& topic);

  /// Appends a message; the publish time is the log time unless given. Throws std::out_of_range for
  /// an unknown topic, std::invalid_argument for times before 1970, std::runtime_error where the
  /// disk is full.
  void write(std::size_t topic, std::int64_t log_time, ByteView data,
             std::optional<std::int64_t> publish_time = std::nullopt);

  /// Writes the chunk at hand to the file, so that a crash can't take it.
  void flush();

  /// Finishes the bag and syncs it to disk; nothing can be written afterwards.
  void close();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pointtree::io

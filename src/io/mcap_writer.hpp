// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "mcap_format.hpp"

namespace pointtree::io::mcap {

/// Writes one MCAP file, chunk by chunk.
class Writer {
 public:
  Writer(const std::filesystem::path& path, std::string compression, std::size_t chunk_bytes);

  /// Adds a schema (its id is chosen here) and a channel that uses it; returns the channel's id.
  std::uint16_t add_channel(Schema schema, Channel channel);

  void write(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time,
             ByteView data);
  void flush();
  void close();

  const Statistics& statistics() const { return statistics_; }

 private:
  void put(const Bytes& bytes);
  Bytes summary();

  OutputFile file_;
  std::string compression_;
  std::size_t chunk_bytes_;
  std::uint32_t crc_ = 0;  // of everything written so far

  std::vector<Schema> schemas_;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> sequences_;  // messages per channel
  std::vector<bool> described_;           // whether a chunk holds the channel's record

  Bytes chunk_;
  ChunkHead chunk_head_;
  std::map<std::uint16_t, std::vector<MessagePosition>> chunk_messages_;
  std::vector<ChunkIndex> chunk_indexes_;
  Statistics statistics_;
};

}  // namespace pointtree::io::mcap

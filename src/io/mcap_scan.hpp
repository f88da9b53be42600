// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "mcap_format.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io::mcap {

/// Where a chunk's packed records lie.
struct ChunkSpan {
  ChunkHead head;
  std::uint64_t records_at = 0;
  bool cut = false;  ///< the file ends before the chunk does; head.packed_size is what there is
};

/// A message that is in no chunk.
struct LooseMessage {
  MessageHead head;
  std::uint64_t data_at = 0;
  std::uint64_t size = 0;
};

/// What a walk over the file's records finds, whether or not it has a summary.
struct Contents {
  std::vector<ChunkSpan> chunks;
  std::vector<LooseMessage> loose;
  std::vector<Schema> schemas;
  std::vector<Channel> channels;
  std::optional<Statistics> statistics;  ///< of a summary that passes its checksum
  bool complete = false;                 ///< the footer was reached
  std::string problem;                   ///< why the walk ended or what was left out, if anything
};

/// Walks over the records from the front and believes nothing that lies elsewhere, so an index
/// can't mislead it. Reads a few bytes per record, never a chunk. Throws ReadError where the file
/// does not begin as MCAP.
Contents scan(const ByteSource& source, const ReadLimits& limits);

/// A message in an unpacked chunk.
struct ChunkMessage {
  MessageHead head;
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// An unpacked chunk with its messages in the order of their log times.
struct Chunk {
  Bytes bytes;
  std::vector<ChunkMessage> messages;
  std::vector<Schema> schemas;
  std::vector<Channel> channels;
};

/// Reads, unpacks and checks a chunk; of one that is cut off, the whole records. Throws ReadError
/// where it is damaged.
Chunk load_chunk(const ByteSource& source, const ChunkSpan& span, const ReadLimits& limits);

}  // namespace pointtree::io::mcap

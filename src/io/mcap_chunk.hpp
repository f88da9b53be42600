// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "byte_source.hpp"
#include "mcap_format.hpp"
#include "mcap_scan.hpp"

namespace pointtree::io::mcap {

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

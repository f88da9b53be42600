// SPDX-License-Identifier: Apache-2.0
#include "mcap_chunk.hpp"

#include <zlib.h>

#include <algorithm>
#include <string>

#include "compression.hpp"

namespace pointtree::io::mcap {
namespace {

Bytes unpacked_records(const ByteSource& source, const ChunkSpan& span, const ReadLimits& limits) {
  const ChunkHead& head = span.head;
  if (head.unpacked_size > limits.max_unpacked_bytes ||
      head.packed_size > limits.max_unpacked_bytes) {
    throw ReadError("a chunk of " + std::to_string(std::max(head.unpacked_size, head.packed_size)) +
                    " bytes is larger than the ceiling of " +
                    std::to_string(limits.max_unpacked_bytes));
  }
  const Bytes packed = source.read(span.records_at, head.packed_size);
  if (span.cut) return unpack_beginning(head.compression, packed, head.unpacked_size);
  Bytes bytes = unpack(head.compression, packed, head.unpacked_size);
  // A CRC of 0 means that there is none.
  if (head.unpacked_crc != 0 && crc32_z(0, bytes.data(), bytes.size()) != head.unpacked_crc) {
    throw ReadError("a chunk fails its checksum");
  }
  return bytes;
}

void take(Chunk& chunk, Op op, ByteView content) {
  if (op == Op::schema) {
    chunk.schemas.push_back(parse_schema(content));
  } else if (op == Op::channel) {
    chunk.channels.push_back(parse_channel(content));
  } else if (op == Op::message) {
    ByteReader reader(content, "MCAP message");
    const MessageHead head = parse_message_head(reader);
    const auto at = static_cast<std::size_t>(content.data - chunk.bytes.data());
    chunk.messages.push_back({head, at + reader.position(), reader.remaining()});
  }
}

}  // namespace

Chunk load_chunk(const ByteSource& source, const ChunkSpan& span, const ReadLimits& limits) {
  Chunk chunk;
  chunk.bytes = unpacked_records(source, span, limits);
  ByteReader reader(chunk.bytes, "MCAP chunk");
  while (!reader.done()) {
    if (span.cut && reader.remaining() < kRecordHeaderBytes) break;
    const auto op = static_cast<Op>(reader.u8());
    const std::uint64_t length = reader.u64();
    if (span.cut && length > reader.remaining()) break;
    take(chunk, op, reader.bytes(length));
  }
  std::stable_sort(chunk.messages.begin(), chunk.messages.end(),
                   [](const auto& a, const auto& b) { return a.head.log_time < b.head.log_time; });
  return chunk;
}

}  // namespace pointtree::io::mcap

// SPDX-License-Identifier: Apache-2.0
#include "mcap_scan.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "compression.hpp"

namespace pointtree::io::mcap {
namespace {

// Enough for a chunk's head with any sensible compression name, and for the index records that
// follow a chunk.
constexpr std::size_t kWindowBytes = 4096;
constexpr std::size_t kMaxChunkHeadBytes = 256;

/// Small reads at rising offsets, served from one block.
class Window {
 public:
  explicit Window(const ByteSource& source) : source_(source) {}

  /// Up to `count` bytes from `offset`: fewer at the end of the file.
  ByteView at(std::uint64_t offset, std::size_t count) {
    if (offset < begin_ || offset + count > begin_ + block_.size()) {
      const std::uint64_t left = source_.size() - std::min(offset, source_.size());
      block_ = source_.read(std::min(offset, source_.size()),
                            std::min<std::uint64_t>(left, std::max(count, kWindowBytes)));
      begin_ = offset;
    }
    const std::size_t from = static_cast<std::size_t>(offset - begin_);
    return {block_.data() + from, std::min(count, block_.size() - from)};
  }

 private:
  const ByteSource& source_;
  Bytes block_;
  std::uint64_t begin_ = 0;
};

class Scanner {
 public:
  Scanner(const ByteSource& source, const ReadLimits& limits)
      : source_(source), limits_(limits), window_(source) {}

  Contents run() {
    const ByteView magic = window_.at(0, sizeof(kMagic));
    if (magic.size < sizeof(kMagic) || std::memcmp(magic.data, kMagic, sizeof(kMagic)) != 0) {
      throw ReadError("no MCAP file: it should begin with \\x89MCAP0");
    }
    std::uint64_t at = sizeof(kMagic);
    try {
      while (!contents_.complete && record(at)) {
      }
    } catch (const ReadError& error) {
      stop(at, error.what());
    }
    return std::move(contents_);
  }

 private:
  /// Takes the record at `at` and moves behind it; false where the walk ends.
  bool record(std::uint64_t& at) {
    ByteReader head(window_.at(at, kRecordHeaderBytes), "MCAP record");
    if (head.done()) return stop(at, "the file ends without a footer");
    if (head.remaining() < kRecordHeaderBytes)
      return stop(at, "the file ends in the middle of a record");
    const auto op = static_cast<Op>(head.u8());
    const std::uint64_t length = head.u64();
    const std::uint64_t content = at + kRecordHeaderBytes;
    const std::uint64_t left = source_.size() - content;
    if (static_cast<std::uint8_t>(op) == 0) return stop(at, "no record has the opcode 0");
    if (length > left) {
      if (op == Op::chunk) chunk(content, left, true);
      return stop(at, "the file ends in the middle of a record");
    }
    take(op, at, content, length);
    at = content + length;
    return true;
  }

  void take(Op op, std::uint64_t at, std::uint64_t content, std::uint64_t length) {
    switch (op) {
      case Op::schema:
        contents_.schemas.push_back(parse_schema(whole(content, length)));
        break;
      case Op::channel:
        contents_.channels.push_back(parse_channel(whole(content, length)));
        break;
      case Op::message:
        message(content, length);
        break;
      case Op::chunk:
        chunk(content, length, false);
        break;
      case Op::statistics:
        contents_.statistics = parse_statistics(whole(content, length));
        break;
      case Op::data_end:
        schemas_before_summary_ = contents_.schemas.size();
        channels_before_summary_ = contents_.channels.size();
        break;
      case Op::footer:
        footer(at, parse_footer(whole(content, length)));
        break;
      default:
        break;  // indexes, attachments, metadata and whatever later versions add
    }
  }

  Bytes whole(std::uint64_t content, std::uint64_t length) const {
    if (length > limits_.max_unpacked_bytes) {
      throw ReadError("a record of " + std::to_string(length) +
                      " bytes is larger than the ceiling of " +
                      std::to_string(limits_.max_unpacked_bytes));
    }
    return source_.read(content, length);
  }

  void message(std::uint64_t content, std::uint64_t length) {
    const auto head_bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(length, kMessageHeaderBytes));
    ByteReader reader(window_.at(content, head_bytes), "MCAP message");
    const MessageHead head = parse_message_head(reader);
    contents_.loose.push_back({head, content + kMessageHeaderBytes, length - kMessageHeaderBytes});
  }

  void chunk(std::uint64_t content, std::uint64_t available, bool cut) {
    const auto head_bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(available, kMaxChunkHeadBytes));
    ByteReader reader(window_.at(content, head_bytes), "MCAP chunk");
    ChunkSpan span{parse_chunk_head(reader), content + reader.position(), cut};
    const std::uint64_t there = available - reader.position();
    if (span.head.packed_size > there) {
      if (!cut) throw ReadError("a chunk is longer than its record");
      span.head.packed_size = there;
    } else {
      span.cut = false;
    }
    contents_.chunks.push_back(std::move(span));
  }

  /// A summary that fails its checksum is not used: the chunks tell the same, only slower.
  void footer(std::uint64_t at, const Footer& footer) {
    contents_.complete = true;
    if (footer.summary_crc == 0) return;
    const std::uint64_t end = at + kRecordHeaderBytes + kFooterBytes - 4;
    const std::uint64_t start = footer.summary_start == 0 ? at : footer.summary_start;
    bool good = start <= end && end - start <= limits_.max_unpacked_bytes;
    if (good) {
      const Bytes summary = source_.read(start, end - start);
      good = crc32_z(0, summary.data(), summary.size()) == footer.summary_crc;
    }
    if (good) return;
    contents_.problem = "the summary fails its checksum";
    contents_.statistics.reset();
    contents_.schemas.resize(std::min(contents_.schemas.size(), schemas_before_summary_));
    contents_.channels.resize(std::min(contents_.channels.size(), channels_before_summary_));
  }

  bool stop(std::uint64_t at, const std::string& why) {
    contents_.problem = "offset " + std::to_string(at) + ": " + why;
    contents_.statistics.reset();
    return false;
  }

  const ByteSource& source_;
  const ReadLimits& limits_;
  Window window_;
  Contents contents_;
  std::size_t schemas_before_summary_ = SIZE_MAX;
  std::size_t channels_before_summary_ = SIZE_MAX;
};

}  // namespace

Contents scan(const ByteSource& source, const ReadLimits& limits) {
  return Scanner(source, limits).run();
}

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

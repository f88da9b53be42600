// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "byte_reader.hpp"
#include "pointtree/io/byte_view.hpp"

/// The records of MCAP version 0 (https://mcap.dev/spec); all numbers are little endian.
namespace pointtree::io::mcap {

inline constexpr std::uint8_t kMagic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

/// A record is its opcode, the 64-bit length of its content, and the content.
inline constexpr std::size_t kRecordHeaderBytes = 9;
/// Channel, sequence, log time and publish time stand before a message's own bytes.
inline constexpr std::size_t kMessageHeaderBytes = 22;
/// Summary start, summary offset start and CRC.
inline constexpr std::size_t kFooterBytes = 20;

enum class Op : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

struct Schema {
  std::uint16_t id = 0;
  std::string name;
  std::string encoding;
  std::string data;
};

struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schema_id = 0;
  std::string topic;
  std::string message_encoding;
  std::map<std::string, std::string> metadata;
};

struct MessageHead {
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0;
  std::uint64_t publish_time = 0;
};

struct ChunkHead {
  std::uint64_t start_time = 0;
  std::uint64_t end_time = 0;
  std::uint64_t unpacked_size = 0;
  std::uint32_t unpacked_crc = 0;
  std::string compression;
  std::uint64_t packed_size = 0;
};

/// Where a message lies in its unpacked chunk.
struct MessagePosition {
  std::uint64_t log_time = 0;
  std::uint64_t offset = 0;
};

struct ChunkIndex {
  ChunkHead head;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< of the whole chunk record
  std::map<std::uint16_t, std::uint64_t> message_index_offsets;
  std::uint64_t message_index_length = 0;
};

struct Statistics {
  std::uint64_t message_count = 0;
  std::uint16_t schema_count = 0;
  std::uint32_t channel_count = 0;
  std::uint32_t attachment_count = 0;
  std::uint32_t metadata_count = 0;
  std::uint32_t chunk_count = 0;
  std::uint64_t start_time = 0;
  std::uint64_t end_time = 0;
  std::map<std::uint16_t, std::uint64_t> channel_message_counts;
};

struct Footer {
  std::uint64_t summary_start = 0;
  std::uint64_t summary_offset_start = 0;
  std::uint32_t summary_crc = 0;
};

/// Parsers of record contents; they throw ReadError where the content is too short.
Schema parse_schema(ByteView content);
Channel parse_channel(ByteView content);
Statistics parse_statistics(ByteView content);
Footer parse_footer(ByteView content);
MessageHead parse_message_head(ByteReader& reader);
/// Leaves the reader at the chunk's packed records, whose length is not checked.
ChunkHead parse_chunk_head(ByteReader& reader);

/// Append whole records to a buffer.
void append_header(Bytes& out, std::string_view profile, std::string_view library);
void append_schema(Bytes& out, const Schema& schema);
void append_channel(Bytes& out, const Channel& channel);
void append_message(Bytes& out, const MessageHead& head, ByteView data);
void append_chunk(Bytes& out, const ChunkHead& head, ByteView packed);
void append_message_index(Bytes& out, std::uint16_t channel_id,
                          const std::vector<MessagePosition>& positions);
void append_chunk_index(Bytes& out, const ChunkIndex& index);
void append_statistics(Bytes& out, const Statistics& statistics);
void append_summary_offset(Bytes& out, Op group, std::uint64_t start, std::uint64_t length);
void append_data_end(Bytes& out, std::uint32_t crc);
/// Without its last four bytes, the CRC of all before them.
void append_footer_without_crc(Bytes& out, std::uint64_t summary, std::uint64_t offsets);
void append_number(Bytes& out, std::uint32_t number);

}  // namespace pointtree::io::mcap

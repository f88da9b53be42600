// SPDX-License-Identifier: Apache-2.0
#include "mcap_format.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace pointtree::io::mcap {
namespace {

void take(ByteReader& reader, std::uint16_t& value) { value = reader.u16(); }
void take(ByteReader& reader, std::uint32_t& value) { value = reader.u32(); }
void take(ByteReader& reader, std::uint64_t& value) { value = reader.u64(); }
void take(ByteReader& reader, std::string& value) { value = std::string(reader.text()); }

/// Pairs behind their length in bytes.
template <typename Key, typename Value>
void take(ByteReader& reader, std::map<Key, Value>& map) {
  ByteReader pairs(reader.bytes(reader.u32()), "MCAP pairs");
  while (!pairs.done()) {
    Key key{};
    take(pairs, key);
    take(pairs, map[std::move(key)]);
  }
}

template <typename... Values>
void take_all(ByteReader& reader, Values&... values) {
  (take(reader, values), ...);
}

template <typename Number, std::enable_if_t<std::is_unsigned_v<Number>, int> = 0>
void put(Bytes& out, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    out.push_back(static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * i)));
}

/// Bytes as they are.
void put(Bytes& out, ByteView value) { out.insert(out.end(), value.begin(), value.end()); }

void put(Bytes& out, std::string_view value) {
  if (value.size() > UINT32_MAX) throw std::length_error("MCAP: a text of 4 GiB or more");
  put(out, static_cast<std::uint32_t>(value.size()));
  put(out, bytes_of(value));
}

void put(Bytes& out, const std::string& value) { put(out, std::string_view(value)); }

template <typename Key, typename Value>
void put(Bytes& out, const std::map<Key, Value>& map) {
  Bytes pairs;
  for (const auto& [key, value] : map) {
    put(pairs, key);
    put(pairs, value);
  }
  put(out, ByteView(pairs).text());
}

/// A record of these values, one behind the other.
template <typename... Values>
void append(Bytes& out, Op op, const Values&... values) {
  put(out, static_cast<std::uint8_t>(op));
  const std::size_t begin = out.size();
  put(out, std::uint64_t{0});
  (put(out, values), ...);
  Bytes length;
  put(length, std::uint64_t{out.size() - begin - 8});
  std::copy(length.begin(), length.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace

Schema parse_schema(ByteView content) {
  ByteReader reader(content, "MCAP schema");
  Schema s;
  take_all(reader, s.id, s.name, s.encoding, s.data);
  return s;
}

Channel parse_channel(ByteView content) {
  ByteReader reader(content, "MCAP channel");
  Channel c;
  take_all(reader, c.id, c.schema_id, c.topic, c.message_encoding, c.metadata);
  return c;
}

Statistics parse_statistics(ByteView content) {
  ByteReader reader(content, "MCAP statistics");
  Statistics s;
  take_all(reader, s.message_count, s.schema_count, s.channel_count, s.attachment_count,
           s.metadata_count, s.chunk_count, s.start_time, s.end_time, s.channel_message_counts);
  return s;
}

Footer parse_footer(ByteView content) {
  ByteReader reader(content, "MCAP footer");
  Footer f;
  take_all(reader, f.summary_start, f.summary_offset_start, f.summary_crc);
  return f;
}

MessageHead parse_message_head(ByteReader& reader) {
  MessageHead head;
  take_all(reader, head.channel_id, head.sequence, head.log_time, head.publish_time);
  return head;
}

ChunkHead parse_chunk_head(ByteReader& reader) {
  ChunkHead head;
  take_all(reader, head.start_time, head.end_time, head.unpacked_size, head.unpacked_crc,
           head.compression, head.packed_size);
  return head;
}

void append_header(Bytes& out, std::string_view profile, std::string_view library) {
  append(out, Op::header, profile, library);
}

void append_schema(Bytes& out, const Schema& s) {
  append(out, Op::schema, s.id, s.name, s.encoding, s.data);
}

void append_channel(Bytes& out, const Channel& c) {
  append(out, Op::channel, c.id, c.schema_id, c.topic, c.message_encoding, c.metadata);
}

void append_message(Bytes& out, const MessageHead& head, ByteView data) {
  append(out, Op::message, head.channel_id, head.sequence, head.log_time, head.publish_time, data);
}

void append_chunk(Bytes& out, const ChunkHead& head, ByteView packed) {
  append(out, Op::chunk, head.start_time, head.end_time, head.unpacked_size, head.unpacked_crc,
         head.compression, std::uint64_t{packed.size}, packed);
}

void append_message_index(Bytes& out, std::uint16_t channel_id,
                          const std::vector<MessagePosition>& positions) {
  Bytes pairs;
  for (const auto& position : positions) {
    put(pairs, position.log_time);
    put(pairs, position.offset);
  }
  append(out, Op::message_index, channel_id, ByteView(pairs).text());
}

void append_chunk_index(Bytes& out, const ChunkIndex& index) {
  append(out, Op::chunk_index, index.head.start_time, index.head.end_time, index.offset,
         index.length, index.message_index_offsets, index.message_index_length,
         index.head.compression, index.head.packed_size, index.head.unpacked_size);
}

void append_statistics(Bytes& out, const Statistics& s) {
  append(out, Op::statistics, s.message_count, s.schema_count, s.channel_count, s.attachment_count,
         s.metadata_count, s.chunk_count, s.start_time, s.end_time, s.channel_message_counts);
}

void append_summary_offset(Bytes& out, Op group, std::uint64_t start, std::uint64_t length) {
  append(out, Op::summary_offset, static_cast<std::uint8_t>(group), start, length);
}

void append_data_end(Bytes& out, std::uint32_t crc) { append(out, Op::data_end, crc); }

void append_footer_without_crc(Bytes& out, std::uint64_t summary, std::uint64_t offsets) {
  append(out, Op::footer, summary, offsets, std::uint32_t{0});
  out.resize(out.size() - 4);
}

void append_number(Bytes& out, std::uint32_t number) { put(out, number); }

}  // namespace pointtree::io::mcap

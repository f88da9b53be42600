// SPDX-License-Identifier: Apache-2.0
#include "mcap_format.hpp"

#include <stdexcept>

namespace pointtree::io::mcap {

Schema parse_schema(ByteView content) {
  ByteReader reader(content, "MCAP schema");
  Schema schema;
  schema.id = reader.u16();
  schema.name = std::string(reader.text());
  schema.encoding = std::string(reader.text());
  schema.data = std::string(reader.text());
  return schema;
}

Channel parse_channel(ByteView content) {
  ByteReader reader(content, "MCAP channel");
  Channel channel;
  channel.id = reader.u16();
  channel.schema_id = reader.u16();
  channel.topic = std::string(reader.text());
  channel.message_encoding = std::string(reader.text());
  ByteReader pairs(reader.bytes(reader.u32()), "MCAP channel metadata");
  while (!pairs.done()) {
    std::string key(pairs.text());
    channel.metadata[std::move(key)] = std::string(pairs.text());
  }
  return channel;
}

Statistics parse_statistics(ByteView content) {
  ByteReader reader(content, "MCAP statistics");
  Statistics statistics;
  statistics.message_count = reader.u64();
  statistics.schema_count = reader.u16();
  statistics.channel_count = reader.u32();
  statistics.attachment_count = reader.u32();
  statistics.metadata_count = reader.u32();
  statistics.chunk_count = reader.u32();
  statistics.start_time = reader.u64();
  statistics.end_time = reader.u64();
  ByteReader counts(reader.bytes(reader.u32()), "MCAP statistics");
  while (!counts.done()) {
    const std::uint16_t channel = counts.u16();
    statistics.channel_message_counts[channel] = counts.u64();
  }
  return statistics;
}

Footer parse_footer(ByteView content) {
  ByteReader reader(content, "MCAP footer");
  Footer footer;
  footer.summary_start = reader.u64();
  footer.summary_offset_start = reader.u64();
  footer.summary_crc = reader.u32();
  return footer;
}

MessageHead parse_message_head(ByteReader& reader) {
  MessageHead head;
  head.channel_id = reader.u16();
  head.sequence = reader.u32();
  head.log_time = reader.u64();
  head.publish_time = reader.u64();
  return head;
}

ChunkHead parse_chunk_head(ByteReader& reader) {
  ChunkHead head;
  head.start_time = reader.u64();
  head.end_time = reader.u64();
  head.unpacked_size = reader.u64();
  head.unpacked_crc = reader.u32();
  head.compression = std::string(reader.text());
  head.packed_size = reader.u64();
  return head;
}

void RecordWriter::number(std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i)
    out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void RecordWriter::text(std::string_view value) {
  if (value.size() > UINT32_MAX) throw std::length_error("MCAP: a text of 4 GiB or more");
  u32(static_cast<std::uint32_t>(value.size()));
  bytes(bytes_of(value));
}

void RecordWriter::begin(Op op) {
  u8(static_cast<std::uint8_t>(op));
  length_at_ = out_.size();
  u64(0);
}

void RecordWriter::end() {
  const std::uint64_t length = out_.size() - length_at_ - 8;
  for (std::size_t i = 0; i < 8; ++i)
    out_[length_at_ + i] = static_cast<std::uint8_t>(length >> (8 * i));
}

void append_header(Bytes& out, std::string_view profile, std::string_view library) {
  RecordWriter writer(out);
  writer.begin(Op::header);
  writer.text(profile);
  writer.text(library);
  writer.end();
}

void append_schema(Bytes& out, const Schema& schema) {
  RecordWriter writer(out);
  writer.begin(Op::schema);
  writer.u16(schema.id);
  writer.text(schema.name);
  writer.text(schema.encoding);
  writer.text(schema.data);
  writer.end();
}

void append_channel(Bytes& out, const Channel& channel) {
  Bytes pairs;
  RecordWriter pair_writer(pairs);
  for (const auto& [key, value] : channel.metadata) {
    pair_writer.text(key);
    pair_writer.text(value);
  }
  RecordWriter writer(out);
  writer.begin(Op::channel);
  writer.u16(channel.id);
  writer.u16(channel.schema_id);
  writer.text(channel.topic);
  writer.text(channel.message_encoding);
  writer.text(ByteView(pairs).text());
  writer.end();
}

void append_message(Bytes& out, const MessageHead& head, ByteView data) {
  RecordWriter writer(out);
  writer.begin(Op::message);
  writer.u16(head.channel_id);
  writer.u32(head.sequence);
  writer.u64(head.log_time);
  writer.u64(head.publish_time);
  writer.bytes(data);
  writer.end();
}

void append_chunk(Bytes& out, const ChunkHead& head, ByteView packed) {
  RecordWriter writer(out);
  writer.begin(Op::chunk);
  writer.u64(head.start_time);
  writer.u64(head.end_time);
  writer.u64(head.unpacked_size);
  writer.u32(head.unpacked_crc);
  writer.text(head.compression);
  writer.u64(packed.size);
  writer.bytes(packed);
  writer.end();
}

void append_message_index(Bytes& out, std::uint16_t channel_id,
                          const std::vector<MessagePosition>& positions) {
  RecordWriter writer(out);
  writer.begin(Op::message_index);
  writer.u16(channel_id);
  writer.u32(static_cast<std::uint32_t>(16 * positions.size()));
  for (const auto& position : positions) {
    writer.u64(position.log_time);
    writer.u64(position.offset);
  }
  writer.end();
}

void append_chunk_index(Bytes& out, const ChunkIndex& index) {
  RecordWriter writer(out);
  writer.begin(Op::chunk_index);
  writer.u64(index.head.start_time);
  writer.u64(index.head.end_time);
  writer.u64(index.offset);
  writer.u64(index.length);
  writer.u32(static_cast<std::uint32_t>(10 * index.message_index_offsets.size()));
  for (const auto& [channel, offset] : index.message_index_offsets) {
    writer.u16(channel);
    writer.u64(offset);
  }
  writer.u64(index.message_index_length);
  writer.text(index.head.compression);
  writer.u64(index.head.packed_size);
  writer.u64(index.head.unpacked_size);
  writer.end();
}

void append_statistics(Bytes& out, const Statistics& statistics) {
  RecordWriter writer(out);
  writer.begin(Op::statistics);
  writer.u64(statistics.message_count);
  writer.u16(statistics.schema_count);
  writer.u32(statistics.channel_count);
  writer.u32(statistics.attachment_count);
  writer.u32(statistics.metadata_count);
  writer.u32(statistics.chunk_count);
  writer.u64(statistics.start_time);
  writer.u64(statistics.end_time);
  writer.u32(static_cast<std::uint32_t>(10 * statistics.channel_message_counts.size()));
  for (const auto& [channel, count] : statistics.channel_message_counts) {
    writer.u16(channel);
    writer.u64(count);
  }
  writer.end();
}

void append_summary_offset(Bytes& out, Op group, std::uint64_t start, std::uint64_t length) {
  RecordWriter writer(out);
  writer.begin(Op::summary_offset);
  writer.u8(static_cast<std::uint8_t>(group));
  writer.u64(start);
  writer.u64(length);
  writer.end();
}

void append_data_end(Bytes& out, std::uint32_t crc) {
  RecordWriter writer(out);
  writer.begin(Op::data_end);
  writer.u32(crc);
  writer.end();
}

}  // namespace pointtree::io::mcap

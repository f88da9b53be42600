// SPDX-License-Identifier: Apache-2.0
#include "mcap_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "compression.hpp"

namespace pointtree::io::mcap {
namespace {

constexpr std::size_t kMaxIds = 65535;  // id 0 is taken by "no schema"

}  // namespace

Writer::Writer(const std::filesystem::path& path, std::string compression, std::size_t chunk_bytes)
    : file_(path), compression_(std::move(compression)), chunk_bytes_(chunk_bytes) {
  Bytes start(std::begin(kMagic), std::end(kMagic));
  append_header(start, "ros2", "pointtree");
  put(start);
}

std::uint16_t Writer::add_channel(Schema schema, Channel channel) {
  const auto same = std::find_if(schemas_.begin(), schemas_.end(), [&](const Schema& other) {
    return other.name == schema.name && other.encoding == schema.encoding &&
           other.data == schema.data;
  });
  if (channels_.size() == kMaxIds) throw std::length_error("MCAP: more than 65535 channels");
  schema.id = static_cast<std::uint16_t>(same - schemas_.begin() + 1);
  channel.schema_id = schema.id;
  channel.id = static_cast<std::uint16_t>(channels_.size());
  if (same == schemas_.end()) schemas_.push_back(std::move(schema));
  channels_.push_back(std::move(channel));
  sequences_.push_back(0);
  described_.push_back(false);
  statistics_.channel_message_counts[channels_.back().id] = 0;
  return channels_.back().id;
}

void Writer::write(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time,
                   ByteView data) {
  if (!described_.at(channel)) {
    append_schema(chunk_, schemas_[channels_[channel].schema_id - 1]);
    append_channel(chunk_, channels_[channel]);
    described_[channel] = true;
  }
  chunk_messages_[channel].push_back({log_time, chunk_.size()});
  append_message(chunk_, {channel, sequences_[channel]++, log_time, publish_time}, data);

  const bool first_of_chunk = chunk_messages_.size() == 1 && chunk_messages_[channel].size() == 1;
  chunk_head_.start_time = first_of_chunk ? log_time : std::min(chunk_head_.start_time, log_time);
  chunk_head_.end_time = std::max(chunk_head_.end_time, log_time);
  const bool first = statistics_.message_count == 0;
  statistics_.start_time = first ? log_time : std::min(statistics_.start_time, log_time);
  statistics_.end_time = std::max(statistics_.end_time, log_time);
  ++statistics_.message_count;
  ++statistics_.channel_message_counts[channel];
  if (chunk_.size() >= chunk_bytes_) flush();
}

void Writer::flush() {
  if (chunk_.empty()) return;
  const Bytes packed = pack(compression_, chunk_);
  chunk_head_.compression = compression_;
  chunk_head_.unpacked_size = chunk_.size();
  chunk_head_.unpacked_crc = static_cast<std::uint32_t>(crc32_z(0, chunk_.data(), chunk_.size()));
  chunk_head_.packed_size = packed.size();

  ChunkIndex index;
  index.head = chunk_head_;
  index.offset = file_.size();
  Bytes out;
  out.reserve(packed.size() + 1024);
  append_chunk(out, chunk_head_, packed);
  index.length = out.size();
  for (auto& [channel, positions] : chunk_messages_) {
    std::stable_sort(positions.begin(), positions.end(),
                     [](const auto& a, const auto& b) { return a.log_time < b.log_time; });
    index.message_index_offsets[channel] = index.offset + out.size();
    append_message_index(out, channel, positions);
  }
  index.message_index_length = out.size() - index.length;
  put(out);
  chunk_indexes_.push_back(std::move(index));
  chunk_.clear();
  chunk_messages_.clear();
  chunk_head_ = {};
}

void Writer::close() {
  flush();
  Bytes end;
  append_data_end(end, crc_);
  put(end);
  put(summary());
  file_.commit();
}

/// Summary, offsets of its groups, footer and closing magic.
Bytes Writer::summary() {
  statistics_.schema_count = static_cast<std::uint16_t>(schemas_.size());
  statistics_.channel_count = static_cast<std::uint32_t>(channels_.size());
  statistics_.chunk_count = static_cast<std::uint32_t>(chunk_indexes_.size());
  const std::uint64_t start = file_.size();
  Bytes out;
  Bytes offsets;
  const auto group = [&](Op op, const auto& append_all) {
    const std::size_t begin = out.size();
    append_all();
    if (out.size() > begin) append_summary_offset(offsets, op, start + begin, out.size() - begin);
  };
  group(Op::schema, [&] {
    for (const auto& schema : schemas_) append_schema(out, schema);
  });
  group(Op::channel, [&] {
    for (const auto& channel : channels_) append_channel(out, channel);
  });
  group(Op::statistics, [&] { append_statistics(out, statistics_); });
  group(Op::chunk_index, [&] {
    for (const auto& index : chunk_indexes_) append_chunk_index(out, index);
  });
  const std::uint64_t offsets_start = start + out.size();
  out.insert(out.end(), offsets.begin(), offsets.end());

  // The checksum covers the footer's own beginning.
  append_footer_without_crc(out, start, offsets_start);
  append_number(out, static_cast<std::uint32_t>(crc32_z(0, out.data(), out.size())));
  out.insert(out.end(), std::begin(kMagic), std::end(kMagic));
  return out;
}

void Writer::put(const Bytes& bytes) {
  file_.write(bytes);
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, bytes.data(), bytes.size()));
}

}  // namespace pointtree::io::mcap

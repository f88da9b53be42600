// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/bag_readers.hpp"
#include "io/mcap_scan.hpp"
#include "mcap_format.hpp"
#include "pointtree/io/bag.hpp"

namespace pointtree::io {
namespace {

/// The topics of a file: channels with the same name and type are one topic with several
/// publishers.
class TopicTable {
 public:
  void add(const mcap::Schema& schema);

  /// Adds a channel; its schema, if it has one, must have been added. The first of two with the
  /// same id is kept.
  void add(const mcap::Channel& channel);

  /// The topic of a channel, or nothing where the channel was never described.
  std::optional<std::size_t> topic_of(std::uint16_t channel_id) const;

  const std::vector<BagTopic>& topics() const { return topics_; }
  BagTopic& operator[](std::size_t topic) { return topics_[topic]; }

 private:
  std::unordered_map<std::uint16_t, mcap::Schema> schemas_;
  std::unordered_map<std::uint16_t, std::size_t> topic_of_channel_;
  std::unordered_map<std::string, std::size_t> topic_of_name_;
  std::vector<BagTopic> topics_;
};

void TopicTable::add(const mcap::Schema& schema) { schemas_.emplace(schema.id, schema); }

void TopicTable::add(const mcap::Channel& channel) {
  if (topic_of_channel_.count(channel.id) > 0) return;
  BagTopic topic;
  topic.name = channel.topic;
  topic.serialization_format = channel.message_encoding;
  const auto qos = channel.metadata.find("offered_qos_profiles");
  if (qos != channel.metadata.end()) topic.offered_qos_profiles = qos->second;
  const auto schema = schemas_.find(channel.schema_id);
  if (schema != schemas_.end()) {
    topic.type = schema->second.name;
    topic.definition = schema->second.data;
    topic.definition_encoding = schema->second.encoding;
  }
  // A zero can't be part of either name, so the pair is unique.
  const auto [same, is_new] =
      topic_of_name_.emplace(topic.name + '\0' + topic.type, topics_.size());
  topic_of_channel_[channel.id] = same->second;
  if (is_new) topics_.push_back(std::move(topic));
}

std::optional<std::size_t> TopicTable::topic_of(std::uint16_t channel_id) const {
  const auto found = topic_of_channel_.find(channel_id);
  if (found == topic_of_channel_.end()) return std::nullopt;
  return found->second;
}

std::int64_t signed_time(std::uint64_t time) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(time, INT64_MAX));
}

/// Chunks that are being read: each is sorted in itself, so the earliest head of all is the next
/// message.
struct OpenChunk {
  mcap::Chunk chunk;
  std::size_t next = 0;
  std::size_t rank = 0;  // place in the file, which decides between equal times

  std::uint64_t time() const { return chunk.messages[next].head.log_time; }
  bool done() const { return next == chunk.messages.size(); }
};

struct Later {
  bool operator()(const std::unique_ptr<OpenChunk>& a, const std::unique_ptr<OpenChunk>& b) const {
    return std::make_pair(a->time(), a->rank) > std::make_pair(b->time(), b->rank);
  }
};

class McapReader : public BagReader {
 public:
  McapReader(std::unique_ptr<ByteSource> source, const ReadLimits& limits)
      : source_(std::move(source)), limits_(limits), contents_(mcap::scan(*source_, limits)) {
    for (const auto& schema : contents_.schemas) table_.add(schema);
    for (const auto& channel : contents_.channels) table_.add(channel);
    report_.truncated = !contents_.complete;
    if (!contents_.problem.empty()) note(report_, contents_.problem);
    order_ = chunks_by_start();
    std::stable_sort(
        contents_.loose.begin(), contents_.loose.end(),
        [](const auto& a, const auto& b) { return a.head.log_time < b.head.log_time; });
    report_.indexed = has_usable_statistics();
    if (report_.indexed) {
      take_statistics();
    } else {
      search();
    }
    select({});
  }

  const std::vector<BagTopic>& topics() const override { return table_.topics(); }
  std::int64_t start_time() const override { return start_time_; }
  std::int64_t end_time() const override { return end_time_; }
  const BagReport& report() const override { return report_; }

  void select(const BagSelection& selection) override {
    selection_ = selection;
    wanted_ = std::set<std::string>(selection.topics.begin(), selection.topics.end());
    open_ = {};
    finished_.reset();
    report_.lost_messages = 0;
    open_bytes_ = 0;
    next_chunk_ = 0;
    next_loose_ = 0;
  }

  std::optional<BagMessage> next() override {
    release_finished();
    while (true) {
      open_chunks();
      const bool has_loose = next_loose_ < contents_.loose.size();
      if (open_.empty() && !has_loose) return std::nullopt;
      const bool loose_first =
          has_loose &&
          (open_.empty() || contents_.loose[next_loose_].head.log_time < open_.top()->time());
      const auto message = loose_first ? take_loose() : take_from_chunk();
      if (message) return message;
      release_finished();
    }
  }

 private:
  std::vector<std::size_t> chunks_by_start() const {
    std::vector<std::size_t> order(contents_.chunks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return contents_.chunks[a].head.start_time < contents_.chunks[b].head.start_time;
    });
    return order;
  }

  /// A summary is usable where it agrees with what lies in the file and describes every channel it
  /// counts.
  bool has_usable_statistics() const {
    if (!contents_.statistics || contents_.statistics->chunk_count != contents_.chunks.size())
      return false;
    for (const auto& [channel, count] : contents_.statistics->channel_message_counts) {
      if (!table_.topic_of(channel)) return false;
    }
    return contents_.statistics->message_count == 0 ||
           !contents_.statistics->channel_message_counts.empty();
  }

  void take_statistics() {
    start_time_ = signed_time(contents_.statistics->start_time);
    end_time_ = signed_time(contents_.statistics->end_time);
    for (const auto& [channel, count] : contents_.statistics->channel_message_counts) {
      table_[*table_.topic_of(channel)].message_count += count;
    }
  }

  /// Without a summary, one pass over the chunks finds topics, counts and times.
  void search() {
    std::uint64_t first = UINT64_MAX;
    std::uint64_t last = 0;
    const auto count = [&](const mcap::MessageHead& head) {
      const auto topic = table_.topic_of(head.channel_id);
      if (!topic) return;
      ++table_[*topic].message_count;
      first = std::min(first, head.log_time);
      last = std::max(last, head.log_time);
    };
    // In the order of the file: a channel is described before its first message.
    for (const auto& span : contents_.chunks) {
      try {
        const mcap::Chunk chunk = load(span);
        for (const auto& message : chunk.messages) count(message.head);
      } catch (const ReadError&) {
        continue;  // reported when the messages are asked for
      }
    }
    for (const auto& message : contents_.loose) count(message.head);
    const std::uint64_t total = message_count();
    if (total > 0) {
      start_time_ = signed_time(first);
      end_time_ = signed_time(last);
    }
    if (report_.truncated) {
      report_.recovered = total;
      note(report_, std::to_string(total) + " whole messages recovered");
    }
  }

  mcap::Chunk load(const mcap::ChunkSpan& span) {
    mcap::Chunk chunk = mcap::load_chunk(*source_, span, limits_);
    for (const auto& schema : chunk.schemas) table_.add(schema);
    for (const auto& channel : chunk.channels) table_.add(channel);
    return chunk;
  }

  bool overlaps_selection(const mcap::ChunkHead& head) const {
    return signed_time(head.end_time) >= selection_.begin &&
           signed_time(head.start_time) < selection_.end;
  }

  /// Opens every chunk that may hold the next message.
  void open_chunks() {
    while (next_chunk_ < order_.size()) {
      const std::size_t index = order_[next_chunk_];
      const mcap::ChunkSpan& span = contents_.chunks[index];
      if (!open_.empty() && span.head.start_time > open_.top()->time()) return;
      ++next_chunk_;
      if (!overlaps_selection(span.head)) continue;
      auto chunk = std::make_unique<OpenChunk>();
      chunk->rank = index;
      try {
        chunk->chunk = load(span);
      } catch (const ReadError& error) {
        if (damaged_.insert(index).second) {
          ++report_.damaged_chunks;
          note(report_,
               "chunk at offset " + std::to_string(span.records_at) + " left out: " + error.what());
        }
        continue;
      }
      if (!chunk->done()) push(std::move(chunk));
    }
  }

  void push(std::unique_ptr<OpenChunk> chunk) {
    open_bytes_ += chunk->chunk.bytes.size();
    if (open_bytes_ > limits_.max_open_bytes) {
      throw ReadError("chunks that overlap in time need more than the ceiling of " +
                      std::to_string(limits_.max_open_bytes) + " bytes");
    }
    open_.push(std::move(chunk));
  }

  void release_finished() {
    if (!finished_) return;
    if (finished_->done()) {
      open_bytes_ -= finished_->chunk.bytes.size();
    } else {
      open_.push(std::move(finished_));
    }
    finished_.reset();
  }

  std::optional<BagMessage> take_from_chunk() {
    // The queue gives only const access, but the element is about to leave it.
    finished_ = std::move(const_cast<std::unique_ptr<OpenChunk>&>(open_.top()));
    open_.pop();
    const mcap::ChunkMessage& message = finished_->chunk.messages[finished_->next++];
    return make_message(message.head,
                        {finished_->chunk.bytes.data() + message.offset, message.size});
  }

  std::optional<BagMessage> take_loose() {
    const mcap::LooseMessage& message = contents_.loose[next_loose_++];
    if (!is_wanted(message.head)) return std::nullopt;
    if (message.size > limits_.max_unpacked_bytes) {
      ++report_.lost_messages;
      note(report_,
           "a message of " + std::to_string(message.size) + " bytes is larger than the ceiling");
      return std::nullopt;
    }
    loose_bytes_ = source_->read(message.data_at, message.size);
    return make_message(message.head, loose_bytes_);
  }

  bool is_wanted(const mcap::MessageHead& head) {
    const std::int64_t time = signed_time(head.log_time);
    if (time < selection_.begin || time >= selection_.end) return false;
    const auto topic = table_.topic_of(head.channel_id);
    if (!topic) {
      ++report_.lost_messages;
      note(report_,
           "a message of channel " + std::to_string(head.channel_id) + ", which is not described");
      return false;
    }
    return wanted_.empty() || wanted_.count(table_[*topic].name) > 0;
  }

  std::optional<BagMessage> make_message(const mcap::MessageHead& head, ByteView data) {
    if (!is_wanted(head)) return std::nullopt;
    const BagTopic& topic = table_[*table_.topic_of(head.channel_id)];
    return BagMessage{topic.name, topic.type, signed_time(head.log_time),
                      signed_time(head.publish_time), data};
  }

  std::unique_ptr<ByteSource> source_;
  ReadLimits limits_;
  mcap::Contents contents_;
  TopicTable table_;
  BagReport report_;
  std::int64_t start_time_ = 0;
  std::int64_t end_time_ = 0;

  BagSelection selection_;
  std::set<std::string> wanted_;
  std::vector<std::size_t> order_;  // chunks by start time
  std::set<std::size_t> damaged_;   // chunks already reported
  std::size_t next_chunk_ = 0;
  std::size_t next_loose_ = 0;
  std::priority_queue<std::unique_ptr<OpenChunk>, std::vector<std::unique_ptr<OpenChunk>>, Later>
      open_;
  std::unique_ptr<OpenChunk> finished_;  // holds the bytes of the message given last
  std::uint64_t open_bytes_ = 0;
  Bytes loose_bytes_;
};

}  // namespace

std::unique_ptr<BagReader> open_mcap(std::unique_ptr<ByteSource> source, const ReadLimits& limits) {
  return std::make_unique<McapReader>(std::move(source), limits);
}

std::unique_ptr<BagReader> read_mcap(ByteView file, const ReadLimits& limits) {
  return open_mcap(open_source(file), limits);
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <utility>

#include "compression.hpp"
#include "io/bag_readers.hpp"

namespace pointtree::io {
namespace {

class MergedBag : public BagReader {
 public:
  MergedBag(std::vector<std::unique_ptr<BagReader>> parts, bool packed_messages,
            const ReadLimits& limits)
      : parts_(std::move(parts)), packed_messages_(packed_messages), limits_(limits) {
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    for (const auto& part : parts_) {
      for (const auto& topic : part->topics()) {
        const auto [found, is_new] =
            known.emplace(std::make_pair(topic.name, topic.type), topics_.size());
        if (is_new) {
          topics_.push_back(topic);
        } else {
          topics_[found->second].message_count += topic.message_count;
        }
      }
    }
    select({});
  }

  const std::vector<BagTopic>& topics() const override { return topics_; }

  std::int64_t start_time() const override {
    std::int64_t time = INT64_MAX;
    for (const auto& part : parts_) {
      if (part->message_count() > 0) time = std::min(time, part->start_time());
    }
    return message_count() == 0 ? 0 : time;
  }

  std::int64_t end_time() const override {
    std::int64_t time = INT64_MIN;
    for (const auto& part : parts_) {
      if (part->message_count() > 0) time = std::max(time, part->end_time());
    }
    return message_count() == 0 ? 0 : time;
  }

  void select(const BagSelection& selection) override {
    waiting_ = {};
    current_.reset();
    lost_ = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]->select(selection);
      if (parts_[i]->message_count() > 0) waiting_.push({parts_[i]->start_time(), i, std::nullopt});
    }
  }

  std::optional<BagMessage> next() override {
    while (true) {
      // The message given last is valid until now; only now may its file move on.
      if (current_) pull(*std::exchange(current_, std::nullopt));
      if (waiting_.empty()) return std::nullopt;
      const Head head = waiting_.top();
      waiting_.pop();
      if (!head.message) {  // only now does this file have to be read
        pull(head.part);
        continue;
      }
      current_ = head.part;
      if (!packed_messages_) return head.message;
      try {
        BagMessage message = *head.message;
        unpacked_ = unpack_zstd(message.data, limits_.max_unpacked_bytes);
        message.data = unpacked_;
        return message;
      } catch (const ReadError& error) {
        ++lost_;
        note(own_, error.what());
      }
    }
  }

  const BagReport& report() const override {
    report_ = own_;
    report_.lost_messages = lost_;
    for (const auto& part : parts_) {
      const BagReport& other = part->report();
      report_.indexed = report_.indexed && other.indexed;
      report_.truncated = report_.truncated || other.truncated;
      report_.damaged_chunks += other.damaged_chunks;
      report_.lost_messages += other.lost_messages;
      report_.recovered += other.recovered;
      for (const auto& text : other.notes) note(report_, text);
    }
    return report_;
  }

 private:
  /// The next message of a part, or only the earliest time at which it may come.
  struct Head {
    std::int64_t time = 0;
    std::size_t part = 0;
    std::optional<BagMessage> message;

    bool operator<(const Head& other) const {  // the queue gives its greatest first
      return std::make_pair(time, part) > std::make_pair(other.time, other.part);
    }
  };

  void pull(std::size_t part) {
    if (const auto message = parts_[part]->next())
      waiting_.push({message->log_time, part, message});
  }

  std::vector<std::unique_ptr<BagReader>> parts_;
  bool packed_messages_;
  ReadLimits limits_;
  std::vector<BagTopic> topics_;
  std::priority_queue<Head> waiting_;
  std::optional<std::size_t> current_;
  Bytes unpacked_;
  std::uint64_t lost_ = 0;
  BagReport own_;
  mutable BagReport report_;  // put together when asked for
};

}  // namespace

std::unique_ptr<BagReader> merge_bags(std::vector<std::unique_ptr<BagReader>> parts,
                                      bool packed_messages, const ReadLimits& limits) {
  return std::make_unique<MergedBag>(std::move(parts), packed_messages, limits);
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "mcap_format.hpp"
#include "pointtree/io/bag.hpp"

namespace pointtree::io::mcap {

/// The topics of a file: channels with the same name and type are one topic with several
/// publishers.
class TopicTable {
 public:
  void add(const Schema& schema);

  /// Adds a channel; its schema, if it has one, must have been added. The first of two with the
  /// same id is kept.
  void add(const Channel& channel);

  /// The topic of a channel, or nothing where the channel was never described.
  std::optional<std::size_t> topic_of(std::uint16_t channel_id) const;

  const std::vector<BagTopic>& topics() const { return topics_; }
  BagTopic& operator[](std::size_t topic) { return topics_[topic]; }

 private:
  std::unordered_map<std::uint16_t, Schema> schemas_;
  std::unordered_map<std::uint16_t, std::size_t> topic_of_channel_;
  std::unordered_map<std::string, std::size_t> topic_of_name_;
  std::vector<BagTopic> topics_;
};

}  // namespace pointtree::io::mcap

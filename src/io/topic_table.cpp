// SPDX-License-Identifier: Apache-2.0
#include "topic_table.hpp"

#include <string>
#include <utility>

namespace pointtree::io::mcap {

void TopicTable::add(const Schema& schema) { schemas_.emplace(schema.id, schema); }

void TopicTable::add(const Channel& channel) {
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

}  // namespace pointtree::io::mcap

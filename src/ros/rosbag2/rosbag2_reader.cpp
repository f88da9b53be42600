// SPDX-License-Identifier: Apache-2.0

// The plugin that lets the io module read bags by rosbag2_cpp.
#include <chrono>
#include <map>
#include <rosbag2_compression/sequential_compression_reader.hpp>
#include <rosbag2_cpp/reader.hpp>
#include <rosbag2_storage/metadata_io.hpp>
#include <rosbag2_storage/qos.hpp>
#include <utility>

#include "pointtree/io/bag.hpp"

namespace pointtree::ros {
namespace {

using io::BagMessage;
using io::BagTopic;

std::int64_t nanoseconds(std::chrono::high_resolution_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

/// Whether rosbag2 packed the bag itself, whatever its storage does.
bool is_packed(const std::string& path) {
  rosbag2_storage::MetadataIo metadata;
  return metadata.metadata_file_exists(path) &&
         !metadata.read_metadata(path).compression_format.empty();
}

std::unique_ptr<rosbag2_cpp::Reader> open(const std::string& path) {
  auto reader = is_packed(path)
                    ? std::make_unique<rosbag2_cpp::Reader>(
                          std::make_unique<rosbag2_compression::SequentialCompressionReader>())
                    : std::make_unique<rosbag2_cpp::Reader>();
  rosbag2_storage::StorageOptions options;
  options.uri = path;
  reader->open(options, {});
  return reader;
}

class Rosbag2Reader final : public io::BagReader {
 public:
  explicit Rosbag2Reader(const std::string& path) : reader_(open(path)) {
    const rosbag2_storage::BagMetadata& metadata = reader_->get_metadata();
    std::map<std::string, rosbag2_storage::MessageDefinition> definitions;
    std::vector<rosbag2_storage::MessageDefinition> listed;
    reader_->get_all_message_definitions(listed);
    for (auto& definition : listed) definitions[definition.topic_type] = definition;
    for (const auto& [described, count] : metadata.topics_with_message_count) {
      BagTopic topic;
      topic.name = described.name;
      topic.type = described.type;
      topic.definition = definitions[described.type].encoded_message_definition;
      topic.definition_encoding = definitions[described.type].encoding;
      topic.serialization_format = described.serialization_format;
      topic.offered_qos_profiles =
          rosbag2_storage::serialize_rclcpp_qos_vector(described.offered_qos_profiles);
      topic.message_count = count;
      types_[topic.name] = topic.type;
      topics_.push_back(std::move(topic));
    }
    if (metadata.message_count == 0) return;
    start_ = nanoseconds(metadata.starting_time);
    end_ = start_ + metadata.duration.count();
  }

  const std::vector<BagTopic>& topics() const override { return topics_; }
  std::int64_t start_time() const override { return start_; }
  std::int64_t end_time() const override { return end_; }

  void select(const io::BagSelection& selection) override {
    selection_ = selection;
    rosbag2_storage::StorageFilter filter;
    filter.topics = selection.topics;
    reader_->set_filter(filter);
    reader_->seek(std::max(selection.begin, start_));
  }

  std::optional<BagMessage> next() override {
    while (reader_->has_next()) {
      message_ = reader_->read_next();
      if (message_->recv_timestamp < selection_.begin) continue;
      if (message_->recv_timestamp >= selection_.end) return std::nullopt;
      BagMessage message;
      const auto type = types_.find(message_->topic_name);
      message.topic = message_->topic_name;
      if (type != types_.end()) message.type = type->second;
      message.log_time = message_->recv_timestamp;
      message.publish_time = message_->send_timestamp;
      message.data = {message_->serialized_data->buffer, message_->serialized_data->buffer_length};
      return message;
    }
    return std::nullopt;
  }

  const io::BagReport& report() const override { return report_; }

 private:
  std::unique_ptr<rosbag2_cpp::Reader> reader_;
  std::shared_ptr<rosbag2_storage::SerializedBagMessage> message_;  ///< what the last answer views
  std::vector<BagTopic> topics_;
  std::map<std::string, std::string> types_;
  io::BagSelection selection_;
  io::BagReport report_;  ///< rosbag2 reads healthy bags or none
  std::int64_t start_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace
}  // namespace pointtree::ros

extern "C" pointtree::io::BagReader* pointtree_open_rosbag2(const char* path) {
  return new pointtree::ros::Rosbag2Reader(path);
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <rosbag2_compression/sequential_compression_writer.hpp>
#include <rosbag2_cpp/writer.hpp>
#include <rosbag2_storage/ros_helper.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "io/cdr.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "pointtree/io/point_cloud2.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::TemporaryFolder;
using Message = std::tuple<std::int64_t, std::string, std::string, std::string>;

/// Time, topic, type and bytes of all that a reader gives; of equal times, sorted.
std::vector<Message> messages(BagReader& reader, const BagSelection& selection) {
  std::vector<Message> all;
  reader.select(selection);
  while (const auto message = reader.next()) {
    EXPECT_TRUE(all.empty() || std::get<0>(all.back()) <= message->log_time);
    all.emplace_back(message->log_time, message->topic, message->type, message->data.text());
  }
  std::sort(all.begin(), all.end());
  return all;
}

using Topic = std::tuple<std::string, std::string, std::string, std::uint64_t>;

std::vector<Topic> topics(const BagReader& reader) {
  std::vector<Topic> all;
  for (const BagTopic& topic : reader.topics()) {
    all.emplace_back(topic.name, topic.type, topic.serialization_format, topic.message_count);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Both readers give the same, and the own one the end that the messages have.
void expect_alike(BagReader* own, BagReader* rosbag2, std::size_t count) {
  EXPECT_EQ(topics(*own), topics(*rosbag2));
  EXPECT_EQ(own->start_time(), rosbag2->start_time());
  const std::vector<Message> all = messages(*own, {});
  ASSERT_EQ(all.size(), count);
  EXPECT_EQ(own->end_time(), std::get<0>(all.back()));
  EXPECT_EQ(all, messages(*rosbag2, {}));
  EXPECT_EQ(all, messages(*rosbag2, {})) << "a second time";
  BagSelection part;
  part.topics = {"/lidar/points"};
  part.begin = own->start_time() + 300'000'000;
  part.end = own->end_time() - 500'000'000;
  const std::vector<Message> some = messages(*own, part);
  EXPECT_LT(some.size(), all.size());
  EXPECT_FALSE(some.empty());
  EXPECT_EQ(some, messages(*rosbag2, part));
}

void expect_alike(const std::filesystem::path& bag, std::size_t count) {
  const auto own = open_bag(bag, {}, BagBackend::own);
  const auto rosbag2 = open_bag(bag, {}, BagBackend::rosbag2);
  expect_alike(own.get(), rosbag2.get(), count);
  EXPECT_EQ(own->end_time(), rosbag2->end_time());
}

constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;
constexpr int kClouds = 25;

/// A cloud every 100 ms, and a text with every third; calls write(topic, time, bytes).
template <typename Write>
void record(Write write) {
  for (int i = 0; i < kClouds; ++i) {
    const std::int64_t time = kBegin + std::int64_t{i} * 100'000'000;
    Cloud cloud;
    cloud.points = geometry::Points::Constant(50 + i, 3, i);
    cloud.width = static_cast<std::uint32_t>(cloud.points.rows());
    write("/lidar/points", time,
          encode_point_cloud2(make_point_cloud2(cloud, make_header(time, "lidar"))));
    if (i % 3 != 0) continue;
    CdrWriter text;
    text.text("frame " + std::to_string(i));
    write("/remarks", time + 7, text.finish());
  }
}

constexpr std::size_t kMessages = kClouds + (kClouds + 2) / 3;

class OwnBags : public ::testing::TestWithParam<BagCompression> {};

TEST_P(OwnBags, are_read_alike) {
  const TemporaryFolder folder;
  const auto bag = folder.path() / "bag";
  BagWriterOptions options;
  options.compression = GetParam();
  options.chunk_bytes = 4096;
  BagWriter writer(bag, options);
  BagTopic points;
  points.name = "/lidar/points";
  points.type = kPointCloud2Type;
  BagTopic remarks;
  remarks.name = "/remarks";
  remarks.type = "std_msgs/msg/String";
  const std::size_t cloud_topic = writer.add_topic(points);
  const std::size_t text_topic = writer.add_topic(remarks);
  record([&](const std::string& topic, std::int64_t time, const Bytes& bytes) {
    writer.write(topic == "/remarks" ? text_topic : cloud_topic, time, bytes);
  });
  writer.close();
  expect_alike(bag, kMessages);
}

INSTANTIATE_TEST_SUITE_P(Packed, OwnBags,
                         ::testing::Values(BagCompression::none, BagCompression::lz4,
                                           BagCompression::zstd));

struct Recording {
  std::string storage;
  bool split = false;
  std::string compression = {};  ///< file, message or empty
};

class Rosbag2Bags : public ::testing::TestWithParam<Recording> {};

std::unique_ptr<rosbag2_cpp::Writer> make_writer(const Recording& recording) {
  if (recording.compression.empty()) return std::make_unique<rosbag2_cpp::Writer>();
  rosbag2_compression::CompressionOptions options;
  options.compression_format = "zstd";
  options.compression_mode =
      rosbag2_compression::compression_mode_from_string(recording.compression);
  // Several may write the first message last, see FirstMessageLast.
  options.compression_threads = 1;
  return std::make_unique<rosbag2_cpp::Writer>(
      std::make_unique<rosbag2_compression::SequentialCompressionWriter>(options));
}

using Rosbag2Message = std::shared_ptr<rosbag2_storage::SerializedBagMessage>;

std::vector<Rosbag2Message> rosbag2_messages() {
  std::vector<Rosbag2Message> all;
  record([&](const std::string& topic, std::int64_t time, const Bytes& bytes) {
    auto message = std::make_shared<rosbag2_storage::SerializedBagMessage>();
    message->topic_name = topic;
    message->recv_timestamp = message->send_timestamp = time;
    message->serialized_data = rosbag2_storage::make_serialized_message(bytes.data(), bytes.size());
    all.push_back(std::move(message));
  });
  return all;
}

void write_by_rosbag2(const std::filesystem::path& bag, const Recording& recording,
                      const std::vector<Rosbag2Message>& messages) {
  const auto writer = make_writer(recording);
  rosbag2_storage::StorageOptions options;
  options.uri = bag;
  options.storage_id = recording.storage;
  options.max_bagfile_duration = recording.split ? 1 : 0;
  writer->open(options);
  for (const auto& [name, type] : {std::pair("/lidar/points", std::string(kPointCloud2Type)),
                                   std::pair("/remarks", std::string("std_msgs/msg/String"))}) {
    rosbag2_storage::TopicMetadata topic;
    topic.name = name;
    topic.type = type;
    topic.serialization_format = "cdr";
    writer->create_topic(topic);
  }
  for (const Rosbag2Message& message : messages) writer->write(message);
  writer->close();
}

TEST_P(Rosbag2Bags, are_read_alike) {
  const TemporaryFolder folder;
  const auto bag = folder.path() / "bag";
  write_by_rosbag2(bag, GetParam(), rosbag2_messages());
  const auto files =
      std::distance(std::filesystem::directory_iterator(bag), {}) - 1;  // metadata.yaml
  EXPECT_EQ(files > 1, GetParam().split);
  expect_alike(bag, kMessages);
}

INSTANTIATE_TEST_SUITE_P(Storages, Rosbag2Bags,
                         ::testing::Values(Recording{"mcap"}, Recording{"mcap", true},
                                           Recording{"sqlite3"}, Recording{"sqlite3", true},
                                           Recording{"sqlite3", false, "file"},
                                           Recording{"sqlite3", false, "message"}));

/// As compression in several threads may leave a bag: rosbag2's metadata then ends before its
/// messages do, by the time between the first two.
TEST(FirstMessageLast, nothing_is_left_out_though_rosbag2_notes_too_early_an_end) {
  for (const std::string storage : {"mcap", "sqlite3"}) {
    const TemporaryFolder folder;
    const auto bag = folder.path() / "bag";
    std::vector<Rosbag2Message> messages = rosbag2_messages();
    std::rotate(messages.begin(), messages.begin() + 1, messages.end());
    write_by_rosbag2(bag, {storage}, messages);
    const auto own = open_bag(bag, {}, BagBackend::own);
    const auto rosbag2 = open_bag(bag, {}, BagBackend::rosbag2);
    EXPECT_LE(rosbag2->end_time(), own->end_time());
    expect_alike(own.get(), rosbag2.get(), kMessages);
  }
}

TEST(Automatic, takes_rosbag2_for_its_folders_and_the_own_reader_where_that_fails) {
  const TemporaryFolder folder;
  const auto bag = folder.path() / "bag";
  BagWriter writer(bag);
  BagTopic remarks;
  remarks.name = "/remarks";
  remarks.type = "std_msgs/msg/String";
  const std::size_t topic = writer.add_topic(remarks);
  CdrWriter text;
  text.text("a remark");
  writer.write(topic, kBegin, text.finish());
  writer.close();
  EXPECT_EQ(messages(*open_bag(bag), {}).size(), 1U);
  std::filesystem::remove(bag / "metadata.yaml");
  EXPECT_EQ(messages(*open_bag(bag), {}).size(), 1U);
  EXPECT_THROW(open_bag(folder.path() / "none", {}, BagBackend::rosbag2), ReadError);
}

}  // namespace
}  // namespace pointtree::io

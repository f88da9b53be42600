// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "bag_samples.hpp"
#include "cloud_samples.hpp"
#include "io/mcap_format.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::file_bytes;
using test::read_all;
using test::Recorded;
using test::sample_messages;
using test::TemporaryFolder;
using test::write_all;
using ::testing::HasSubstr;

/// Where a message's data lies in a file.
template <typename File>
auto find_data(File& file, const std::string& data) {
  return std::search(
      file.begin(), file.end(), data.begin(), data.end(),
      [](std::uint8_t byte, char c) { return byte == static_cast<std::uint8_t>(c); });
}

class McapCompression : public ::testing::TestWithParam<BagCompression> {};

INSTANTIATE_TEST_SUITE_P(all, McapCompression,
                         ::testing::Values(BagCompression::none, BagCompression::lz4,
                                           BagCompression::zstd));

TEST_P(McapCompression, gives_back_what_was_written) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(300, 400, 21);
  write_all(folder / "bag.mcap", messages, {GetParam(), 4096});
  const auto bag = open_bag(folder / "bag.mcap");
  EXPECT_TRUE(bag->report().indexed);
  EXPECT_EQ(300U, bag->message_count());
  EXPECT_EQ(messages.front().log_time, bag->start_time());
  EXPECT_EQ(messages.back().log_time, bag->end_time());
  ASSERT_EQ(2U, bag->topics().size());
  EXPECT_THAT(bag->topics()[0].definition, HasSubstr("MSG: sensor_msgs/PointField"));
  EXPECT_EQ(messages, read_all(*bag));
  EXPECT_FALSE(bag->report().truncated);
  EXPECT_EQ(0U, bag->report().damaged_chunks);
}

TEST_P(McapCompression, every_truncation_keeps_the_messages_before_it) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(24, 60, 22);
  write_all(folder / "bag.mcap", messages, {GetParam(), 400});
  const Bytes whole = file_bytes(folder / "bag.mcap");
  std::size_t last = 0;
  for (std::size_t length = 8; length < whole.size(); ++length) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    const auto bag = read_mcap(part);
    const auto found = read_all(*bag);
    SCOPED_TRACE(length);
    ASSERT_LE(found.size(), messages.size());
    ASSERT_TRUE(std::equal(found.begin(), found.end(), messages.begin()));
    ASSERT_GE(found.size(), last) << "a longer file gave fewer messages";
    last = found.size();
    // Without the closing magic alone nothing is missing.
    if (length + 8 < whole.size()) {
      ASSERT_TRUE(bag->report().truncated);
      ASSERT_EQ(found.size(), bag->report().recovered);
    }
  }
  EXPECT_EQ(messages.size(), last);
}

TEST_P(McapCompression, yields_overlapping_chunks_in_log_time_order) {
  const TemporaryFolder folder;
  auto messages = sample_messages(500, 50, 23);
  std::mt19937 random(23);
  // Late messages, as from slow topics: each moves by up to 40 places.
  for (std::size_t i = 0; i + 40 < messages.size(); ++i)
    std::swap(messages[i], messages[i + random() % 40]);
  write_all(folder / "bag.mcap", messages, {GetParam(), 512});
  const auto found = read_all(*open_bag(folder / "bag.mcap"));
  std::stable_sort(messages.begin(), messages.end(),
                   [](const auto& a, const auto& b) { return a.log_time < b.log_time; });
  EXPECT_EQ(messages, found);
}

TEST(Mcap, recovers_the_whole_messages_of_a_cut_chunk) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(10, 100, 24);
  write_all(folder / "bag.mcap", messages, {BagCompression::none, 1 << 20});  // one chunk
  const Bytes whole = file_bytes(folder / "bag.mcap");
  const auto sixth = find_data(whole, messages[5].data);
  const Bytes part(whole.begin(), sixth + static_cast<std::ptrdiff_t>(messages[5].data.size()) - 1);
  const auto bag = read_mcap(part);
  EXPECT_EQ(5U, read_all(*bag).size());
  EXPECT_EQ(5U, bag->report().recovered);
  EXPECT_TRUE(bag->report().truncated);
}

TEST(Mcap, leaves_out_and_reports_a_chunk_that_fails_its_checksum) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(50, 100, 25);
  write_all(folder / "bag.mcap", messages, {BagCompression::none, 500});
  Bytes bytes = file_bytes(folder / "bag.mcap");
  const auto in_data = find_data(bytes, messages[20].data);
  ASSERT_NE(bytes.end(), in_data);
  *in_data ^= 1;
  const auto bag = read_mcap(bytes);
  const auto found = read_all(*bag);
  EXPECT_EQ(1U, bag->report().damaged_chunks);
  EXPECT_LT(found.size(), messages.size());
  EXPECT_GT(found.size(), messages.size() / 2);
  for (const auto& message : found) EXPECT_NE(messages[20].log_time, message.log_time);
  bag->select({});
  EXPECT_EQ(found, read_all(*bag));
  EXPECT_EQ(1U, bag->report().damaged_chunks) << "counted once, however often it is read";
}

TEST(Mcap, searches_where_the_summary_is_damaged) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(50, 100, 26);
  write_all(folder / "bag.mcap", messages, {BagCompression::zstd, 500});
  Bytes bytes = file_bytes(folder / "bag.mcap");
  bytes[bytes.size() - 60] ^= 1;
  const auto bag = read_mcap(bytes);
  EXPECT_FALSE(bag->report().indexed);
  EXPECT_EQ(50U, bag->message_count());
  EXPECT_EQ(messages, read_all(*bag));
}

TEST(Mcap, reads_messages_outside_chunks_in_order) {
  Bytes file(std::begin(mcap::kMagic), std::end(mcap::kMagic));
  mcap::append_header(file, "", "test");
  mcap::append_schema(file, {1, "std_msgs/msg/String", "ros2msg", "string data"});
  mcap::append_channel(file, {7, 1, "/a", "cdr", {}});
  for (const std::uint64_t time : {5U, 3U, 4U})
    mcap::append_message(file, {7, 0, time, time}, Bytes(time, 'x'));
  mcap::append_message(file, {9, 0, 1, 1}, Bytes(1));  // of a channel that nobody described
  const auto bag = read_mcap(file);
  EXPECT_EQ(3U, bag->message_count());
  const auto found = read_all(*bag);
  ASSERT_EQ(3U, found.size());
  EXPECT_EQ("xxx", found[0].data);
  EXPECT_EQ("xxxx", found[1].data);
  EXPECT_EQ("xxxxx", found[2].data);
  EXPECT_EQ(1U, bag->report().lost_messages);
}

TEST(Mcap, selects_topics_and_times) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(200, 50, 27);
  write_all(folder / "bag.mcap", messages, {BagCompression::lz4, 512});
  const auto bag = open_bag(folder / "bag.mcap");
  BagSelection selection;
  selection.topics = {"/note"};
  selection.begin = messages[50].log_time;
  selection.end = messages[150].log_time;
  bag->select(selection);
  std::vector<Recorded> expected;
  std::copy_if(messages.begin() + 50, messages.begin() + 150, std::back_inserter(expected),
               [](const auto& message) { return message.topic == "/note"; });
  EXPECT_EQ(expected, read_all(*bag));
}

TEST(Mcap, refuses_promises_beyond_the_ceilings) {
  mcap::ChunkHead head;
  head.unpacked_size = 1ULL << 60;
  head.compression = "zstd";
  Bytes file(std::begin(mcap::kMagic), std::end(mcap::kMagic));
  mcap::append_chunk(file, head, Bytes(4));
  head.unpacked_size = 900 << 20;  // below the ceiling, but nothing of it is there
  mcap::append_chunk(file, head, Bytes(4));
  head.compression = "magic";
  head.unpacked_size = 4;
  mcap::append_chunk(file, head, Bytes(4));
  const auto bag = read_mcap(file);
  EXPECT_TRUE(read_all(*bag).empty());
  EXPECT_EQ(3U, bag->report().damaged_chunks);
  EXPECT_THROW(read_mcap(bytes_of("MCAP?")), ReadError);
}

TEST(Mcap, refuses_overlaps_beyond_the_ceiling) {
  const TemporaryFolder folder;
  auto messages = sample_messages(60, 200, 28);
  for (std::size_t i = 0; i < messages.size(); ++i) messages[i].log_time = i % 2 == 0 ? 1 : 1000;
  write_all(folder / "bag.mcap", messages, {BagCompression::none, 500});
  ReadLimits limits;
  limits.max_open_bytes = 2000;
  const auto bag = open_bag(folder / "bag.mcap", limits);
  EXPECT_THROW(read_all(*bag), ReadError);
}

TEST(Mcap, a_killed_writer_leaves_its_whole_chunks) {
  const TemporaryFolder folder;
  const auto messages = sample_messages(5000, 200, 29);
  const unsigned seed = 29;
  std::mt19937 random(seed);
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE(round);
    const auto path = folder / "bag.mcap";
    int ready[2];
    ASSERT_EQ(0, ::pipe(ready));
    const pid_t child = ::fork();
    if (child == 0) {
      BagWriter writer(path, {BagCompression::zstd, 2048});
      BagTopic topic;
      topic.name = "/points";
      topic.type = "sensor_msgs/msg/PointCloud2";
      writer.add_topic(topic);
      for (std::size_t i = 0; i < messages.size(); ++i) {
        writer.write(0, messages[i].log_time, bytes_of(messages[i].data));
        if (i == 100) {
          writer.flush();
          if (::write(ready[1], "x", 1) != 1) ::_exit(1);
        }
      }
      ::_exit(0);  // without closing
    }
    char byte = 0;
    ASSERT_EQ(1, ::read(ready[0], &byte, 1));
    ::usleep(static_cast<useconds_t>(random() % 3000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const auto bag = open_bag(path);
    const auto found = read_all(*bag);
    EXPECT_GE(found.size(), 101U) << "what was flushed is there";
    EXPECT_TRUE(bag->report().truncated);
    EXPECT_EQ(found.size(), bag->report().recovered);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(messages[i].data, found[i].data);
  }
}

TEST(BagWriter, reports_a_full_disk) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "bag.mcap");
  EXPECT_THROW(BagWriter(folder / "bag.mcap"), std::runtime_error);
}

TEST(BagWriter, refuses_what_it_cannot_keep) {
  const TemporaryFolder folder;
  EXPECT_THROW(BagWriter(folder / "missing" / "bag.mcap"), std::runtime_error);
  BagWriter writer(folder / "bag.mcap");
  EXPECT_THROW(writer.write(0, 1, {}), std::out_of_range);
  writer.add_topic({});
  EXPECT_THROW(writer.write(0, -1, {}), std::invalid_argument);
  writer.close();
  EXPECT_EQ(0U, open_bag(folder / "bag.mcap")->message_count());
}

}  // namespace
}  // namespace pointtree::io

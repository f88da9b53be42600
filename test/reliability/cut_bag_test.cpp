// SPDX-License-Identifier: Apache-2.0

// A recording that was cut anywhere gives all whole messages and says how many.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "temporary_folder.hpp"

namespace pointtree::reliability {
namespace {

using test::TemporaryFolder;

constexpr std::int64_t kMessages = 12;

io::Bytes content_of(std::int64_t number) {
  return io::Bytes(static_cast<std::size_t>(20 + number), static_cast<std::uint8_t>(number));
}

io::Bytes written_bag(io::BagCompression compression) {
  const TemporaryFolder folder;
  io::BagWriter writer(folder / "bag.mcap", {compression, 100});
  io::BagTopic topic;
  topic.name = "/numbers";
  topic.type = "std_msgs/msg/Int64";
  writer.add_topic(topic);
  for (std::int64_t i = 1; i <= kMessages; ++i) writer.write(0, i, content_of(i));
  writer.close();
  std::ifstream file(folder / "bag.mcap", std::ios::binary);
  return io::Bytes(std::istreambuf_iterator<char>(file), {});
}

/// Messages in the first `size` bytes; each must be whole and in its place.
std::int64_t whole_messages(const io::Bytes& bytes, std::size_t size) {
  const auto bag = io::read_mcap({bytes.data(), size});
  std::int64_t found = 0;
  while (const auto message = bag->next()) {
    EXPECT_EQ(++found, message->log_time);
    EXPECT_EQ(content_of(found), io::Bytes(message->data.begin(), message->data.end()));
  }
  const auto& report = bag->report();
  // Behind the end of the data only the summary is missing, and no message with it.
  if (found < kMessages) {
    EXPECT_TRUE(report.truncated);
  }
  if (report.truncated) {
    EXPECT_EQ(static_cast<std::uint64_t>(found), report.recovered);
    EXPECT_FALSE(report.notes.empty());
  }
  return found;
}

class CutBag : public ::testing::TestWithParam<io::BagCompression> {};

TEST_P(CutBag, gives_all_whole_messages_and_their_number) {
  const auto bytes = written_bag(GetParam());
  std::int64_t last = 0;
  std::size_t readable = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    SCOPED_TRACE(size);
    std::int64_t found = 0;
    try {
      found = whole_messages(bytes, size);
      ++readable;
    } catch (const io::ReadError&) {
      EXPECT_EQ(0, last) << "a longer piece can't be less readable";
    }
    EXPECT_GE(found, last);
    // One chunk at a time comes back, never several at once.
    EXPECT_LE(found, last + 4);
    last = found;
  }
  EXPECT_EQ(kMessages, last);
  EXPECT_GT(readable, bytes.size() - 200);
}

INSTANTIATE_TEST_SUITE_P(Compressions, CutBag,
                         ::testing::Values(io::BagCompression::none, io::BagCompression::lz4,
                                           io::BagCompression::zstd));

}  // namespace
}  // namespace pointtree::reliability

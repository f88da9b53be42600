// What was promised is there after a kill, the rest is absent, nothing is half-written.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>

#include "data/temporary_folder.hpp"
#include "pointtree/data/bag.hpp"
#include "pointtree/data/bag_writer.hpp"
#include "reliability/killed_process.hpp"
#include "reliability/small_bundle.hpp"

namespace pointtree::reliability {
namespace {

using data::testing::TemporaryFolder;
using std::chrono::microseconds;

constexpr int kKills = 200;
constexpr unsigned kSeed = 8;

/// Moments from "hardly started" to "long at work".
class Moments {
 public:
  microseconds next() { return microseconds(random_() % 12'000); }

 private:
  std::mt19937 random_{kSeed};
};

/// Writes bundle after bundle, number n to place(n), and returns the last one finished before the
/// kill.
std::int64_t kill_while_writing_bundles(
    const std::function<std::filesystem::path(std::int64_t)>& place, microseconds delay) {
  const auto config = small_model();
  return kill_while(
      [&](const auto& promise) {
        for (std::int64_t n = 1;; ++n) {
          write_numbered_bundle(place(n), n, config);
          promise(n);
        }
      },
      delay);
}

TEST(KilledWriter, leaves_every_bundle_it_had_finished) {
  Moments moments;
  std::int64_t kept = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised = kill_while_writing_bundles(
        [&](std::int64_t n) { return folder / std::to_string(n); }, moments.next());
    for (std::int64_t n = 1; n <= promised; ++n) {
      ASSERT_EQ(n, number_of(folder / std::to_string(n)));
    }
    kept += promised;
    const auto last = folder / std::to_string(promised + 1);
    if (std::filesystem::exists(last / "model.yaml")) {
      EXPECT_EQ(promised + 1, number_of(last));
    } else {
      EXPECT_THROW(number_of(last), std::runtime_error);
    }
  }
  EXPECT_GT(kept, 0) << "no writer lived long enough to finish anything";
}

TEST(KilledWriter, never_leaves_a_mixture_of_two_bundles) {
  Moments moments;
  int whole = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised =
        kill_while_writing_bundles([&](std::int64_t) { return folder / "bundle"; }, moments.next());
    try {
      const auto found = number_of(folder / "bundle");
      EXPECT_TRUE(found == promised || found == promised + 1) << found << " after " << promised;
      ++whole;
    } catch (const std::runtime_error&) {
      EXPECT_EQ(promised, 0) << "a finished bundle was lost while it was being replaced";
    }
  }
  EXPECT_GT(whole, 0);
}

TEST(KilledWriter, leaves_every_message_it_had_flushed) {
  Moments moments;
  std::uint64_t kept = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised = kill_while(
        [&](const auto& promise) {
          data::BagWriter writer(folder / "bag.mcap", {data::BagCompression::lz4, 512});
          data::BagTopic topic;
          topic.name = "/numbers";
          topic.type = "std_msgs/msg/Int64";
          writer.add_topic(topic);
          for (std::int64_t n = 1;; ++n) {
            const data::Bytes bytes(40, static_cast<std::uint8_t>(n));
            writer.write(0, n, bytes);
            if (n % 7 != 0) continue;
            writer.flush();
            promise(n);
          }
        },
        moments.next());
    if (promised == 0) continue;
    const auto bag = data::open_bag(folder / "bag.mcap");
    std::int64_t found = 0;
    while (const auto message = bag->next()) {
      ASSERT_EQ(++found, message->log_time);
      for (const auto byte : message->data) ASSERT_EQ(static_cast<std::uint8_t>(found), byte);
    }
    EXPECT_GE(found, promised);
    EXPECT_TRUE(bag->report().truncated);
    EXPECT_EQ(static_cast<std::uint64_t>(found), bag->report().recovered);
    kept += bag->report().recovered;
  }
  EXPECT_GT(kept, 0U);
}

}  // namespace
}  // namespace pointtree::reliability

// SPDX-License-Identifier: Apache-2.0

// What was promised is there after a kill, the rest is absent, nothing is half-written.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "reliability/killed_process.hpp"
#include "reliability/small_bundle.hpp"
#include "temporary_folder.hpp"

namespace pointtree::reliability {
namespace {

using test::TemporaryFolder;

constexpr int kKills = 200;
constexpr std::int64_t kFinished = 4;  ///< what a writer that lives long gets done, or more

/// Writes bundle after bundle, number n to place(n).
Work bundle_writer(const std::function<std::filesystem::path(std::int64_t)>& place) {
  return [place](const auto& promise) {
    const auto config = small_model();
    for (std::int64_t n = 1;; ++n) {
      write_numbered_bundle(place(n), n, config);
      promise(n);
    }
  };
}

/// Records message after message and promises every seventh.
Work recorder(const std::filesystem::path& file) {
  return [file](const auto& promise) {
    io::BagWriter writer(file, {io::BagCompression::lz4, 512});
    io::BagTopic topic;
    topic.name = "/numbers";
    topic.type = "std_msgs/msg/Int64";
    writer.add_topic(topic);
    for (std::int64_t n = 1;; ++n) {
      const io::Bytes bytes(40, static_cast<std::uint8_t>(n));
      writer.write(0, n, bytes);
      if (n % 7 != 0) continue;
      writer.flush();
      promise(n);
    }
  };
}

/// Moments at which to kill such work; each process has a folder of its own, which is thrown away.
Moments moments_of(const std::function<Work(const TemporaryFolder&)>& make, std::int64_t number) {
  const TemporaryFolder folder;
  return Moments(time_until(make(folder), number));
}

TEST(KilledWriter, leaves_every_bundle_it_had_finished) {
  const auto make = [](const TemporaryFolder& folder) {
    return bundle_writer(
        [path = folder.path()](std::int64_t n) { return path / std::to_string(n); });
  };
  auto moments = moments_of(make, kFinished);
  std::int64_t kept = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised = kill_while(make(folder), moments.next());
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
  const auto make = [](const TemporaryFolder& folder) {
    return bundle_writer([path = folder / "bundle"](std::int64_t) { return path; });
  };
  auto moments = moments_of(make, kFinished);
  int whole = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised = kill_while(make(folder), moments.next());
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
  const auto make = [](const TemporaryFolder& folder) { return recorder(folder / "bag.mcap"); };
  auto moments = moments_of(make, 7 * kFinished);
  std::uint64_t kept = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const TemporaryFolder folder;
    const auto promised = kill_while(make(folder), moments.next());
    if (promised == 0) continue;
    const auto bag = io::open_bag(folder / "bag.mcap");
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

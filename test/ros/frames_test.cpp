// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ros/diagnostics.hpp"
#include "ros/frame_slot.hpp"
#include "ros/frame_statistics.hpp"
#include "ros/loss_counter.hpp"

namespace pointtree::ros {
namespace {

TEST(frame_slot, lets_the_newest_frame_win) {
  FrameSlot<int> slot;
  EXPECT_FALSE(slot.put(1));
  EXPECT_EQ(slot.put(2), 1);
  EXPECT_EQ(slot.take(), 2);
  EXPECT_FALSE(slot.put(3));
  EXPECT_EQ(slot.stop(), 3);
  EXPECT_EQ(slot.put(4), 4);
  EXPECT_FALSE(slot.take());
}

TEST(frame_slot, loses_no_frame_without_saying_so) {
  constexpr int kFrames = 20'000;
  FrameSlot<int> slot;
  std::atomic<int> taken = 0;
  int last = -1;
  bool ordered = true;
  std::thread worker([&] {
    while (const auto frame = slot.take()) {
      ordered = ordered && *frame > last;
      last = *frame;
      ++taken;
    }
  });
  int replaced = 0;
  for (int frame = 0; frame < kFrames; ++frame) replaced += slot.put(frame) ? 1 : 0;
  replaced += slot.stop() ? 1 : 0;
  worker.join();
  EXPECT_EQ(taken + replaced, kFrames);
  EXPECT_TRUE(ordered);
}

TEST(frame_statistics, add_up_and_tell_recent_from_all) {
  FrameStatistics statistics;
  for (int i = 0; i < 10; ++i) statistics.add_received();
  for (int i = 1; i <= 7; ++i) statistics.add_processed(10.0 * i, 5);
  statistics.add_dropped();
  EXPECT_TRUE(statistics.add_rejected("short_data"));
  EXPECT_FALSE(statistics.add_rejected("short_data"));
  FrameReport report = statistics.report();
  EXPECT_EQ(report.total.received,
            report.total.processed + report.total.dropped + report.total.rejected);
  EXPECT_DOUBLE_EQ(report.latency_mean, 40.0);
  EXPECT_DOUBLE_EQ(report.latency_p99, 70.0);
  EXPECT_DOUBLE_EQ(report.worst_latency, 70.0);
  statistics.add_received();
  EXPECT_TRUE(statistics.add_rejected("no_points"));
  report = statistics.report();
  EXPECT_EQ(report.recent.received, 1U);
  EXPECT_EQ(report.recent.rejected_by_reason.size(), 1U);
  EXPECT_EQ(report.total.rejected_by_reason.at("short_data"), 2U);
  EXPECT_DOUBLE_EQ(report.worst_latency, 0.0);
}

TEST(loss_counter, counts_what_a_full_history_overwrites) {
  LossCounter losses;
  losses.restart(2);
  losses.taking();  // taken before its arrival was told of
  losses.arrived(1);
  EXPECT_EQ(losses.lost(), 0U);
  for (int i = 0; i < 5; ++i) losses.arrived(1);
  EXPECT_EQ(losses.lost(), 3U);
  losses.taking();
  losses.arrived(2);
  EXPECT_EQ(losses.lost(), 4U);
  losses.restart(2);
  EXPECT_EQ(losses.lost(), 6U) << "what waited went with the subscription";
  losses.arrived(1);
  losses.taking();
  losses.found_none();  // a publisher's end is announced like a message
  losses.arrived(2);
  EXPECT_EQ(losses.lost(), 6U);
}

TEST(loss_counter, is_not_confused_by_takes_that_find_nothing) {
  LossCounter losses;
  losses.restart(1);
  losses.taking();
  losses.found_none();
  losses.arrived(2);
  EXPECT_EQ(losses.lost(), 1U);
  losses.taking();
  losses.taking();
  losses.arrived(1);  // it comes while nothing is found
  losses.found_none();
  losses.arrived(1);
  EXPECT_EQ(losses.lost(), 2U);
}

TEST(loss_counter, presumes_lost_what_waits_while_nothing_moves) {
  LossCounter losses;
  losses.restart(1);
  const auto lost_later = [&] {
    return losses.lost(LossCounter::Clock::now() + 2 * LossCounter::kPatience);
  };
  losses.arrived(1);
  losses.taking();
  losses.arrived(1);  // overwrites the one that was to be taken, and is taken instead of it
  EXPECT_EQ(losses.lost(), 0U);
  EXPECT_EQ(lost_later(), 1U);
  losses.arrived(1);
  losses.taking();
  EXPECT_EQ(lost_later(), 1U);
  losses.arrived(1);  // waits for an executor that stands still
  EXPECT_EQ(lost_later(), 2U);
  losses.taking();
  EXPECT_EQ(lost_later(), 1U);
}

TEST(loss_counter, counts_gaps_in_the_numbers_of_each_publisher) {
  LossCounter losses;
  losses.restart(1);
  const auto take = [&](std::uint8_t publisher, std::uint64_t number) {
    rmw_message_info_t info{};
    info.publisher_gid.data[0] = publisher;
    info.publication_sequence_number = number;
    losses.taken(info);
  };
  for (const std::uint64_t number : {7, 8, 11, 11, 12}) take(1, number);
  take(2, 100);
  losses.arrived(9);  // nothing more is lost by that: the numbers tell all
  EXPECT_EQ(losses.lost(), 2U);
}

TEST(diagnostics, judge_by_what_is_worst) {
  using diagnostic_msgs::msg::DiagnosticStatus;
  const NodeConfig config;
  const auto level = [&](const FrameReport& report) {
    return make_diagnostics("node", report, config, {}).level;
  };
  FrameReport report;
  EXPECT_EQ(level(report), DiagnosticStatus::WARN) << "no cloud came";
  report.total.received = report.recent.received = report.recent.processed = 1;
  report.worst_latency = 50.0;
  EXPECT_EQ(level(report), DiagnosticStatus::OK);
  report.worst_latency = 150.0;
  EXPECT_EQ(level(report), DiagnosticStatus::WARN);
  report.worst_latency = 1500.0;
  EXPECT_EQ(level(report), DiagnosticStatus::ERROR);
  report.worst_latency = 50.0;
  report.recent.dropped = 1;
  EXPECT_EQ(level(report), DiagnosticStatus::WARN);
  report.recent.dropped = 0;
  report.recent.lost = 1;
  EXPECT_EQ(level(report), DiagnosticStatus::WARN);
  report.recent.lost = 0;
  report.recent.rejected = 1;
  EXPECT_EQ(level(report), DiagnosticStatus::WARN);
}

}  // namespace
}  // namespace pointtree::ros

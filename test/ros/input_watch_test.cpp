// SPDX-License-Identifier: Apache-2.0
#include "ros/input_watch.hpp"

#include <gtest/gtest.h>

namespace pointtree::ros {
namespace {

const InputPublisher kReliable{"/lidar", kInputType, true, false};
const InputPublisher kBestEffort{"/driver", kInputType, false, false};

TEST(decide_reliability, follows_the_publishers_and_stays_when_they_leave) {
  EXPECT_EQ(decide_reliability("auto", "auto", {}), "reliable");
  EXPECT_EQ(decide_reliability("auto", "best_effort", {kReliable}), "reliable");
  EXPECT_EQ(decide_reliability("auto", "reliable", {kReliable, kBestEffort}), "best_effort");
  EXPECT_EQ(decide_reliability("auto", "best_effort", {}), "best_effort");
  EXPECT_EQ(decide_reliability("auto", "reliable", {}), "reliable");
}

TEST(decide_reliability, does_as_told_and_ignores_other_types) {
  EXPECT_EQ(decide_reliability("reliable", "reliable", {kBestEffort}), "reliable");
  EXPECT_EQ(decide_reliability("best_effort", "best_effort", {kReliable}), "best_effort");
  const InputPublisher scan{"/scan", "sensor_msgs/msg/LaserScan", false, false};
  EXPECT_EQ(decide_reliability("auto", "reliable", {scan}), "reliable");
}

std::string explain(const QosConfig& asked, const std::vector<InputPublisher>& publishers) {
  return explain_silence(asked, publishers, 212992);
}

TEST(explain_silence, says_what_it_sees) {
  const QosConfig reliable{"reliable", "volatile", 5};
  EXPECT_EQ(explain(reliable, {}), "nobody publishes there");
  EXPECT_EQ(explain(reliable, {{"/scan", "sensor_msgs/msg/LaserScan", true, false}}),
            "/scan publishes sensor_msgs/msg/LaserScan, expected sensor_msgs/msg/PointCloud2");
  EXPECT_EQ(explain(reliable, {kBestEffort}),
            "/driver offers best_effort, but input_qos.reliability is reliable");
  EXPECT_EQ(explain({"reliable", "transient_local", 5}, {kReliable}),
            "/lidar offers volatile, but input_qos.durability is transient_local");
  const std::string lost = explain({"best_effort", "volatile", 5}, {kBestEffort});
  EXPECT_NE(lost.find("/driver publishes (best_effort), but nothing arrives"), std::string::npos);
  EXPECT_NE(lost.find("net.core.rmem_max is 212992 bytes"), std::string::npos);
}

TEST(silence_watch, warns_once_per_silence_and_tells_of_its_end) {
  using Event = SilenceWatch::Event;
  SilenceWatch watch;
  EXPECT_EQ(watch.update(100.0, 0, 5.0), Event::none);
  EXPECT_EQ(watch.update(104.9, 0, 5.0), Event::none);
  EXPECT_EQ(watch.update(105.0, 0, 5.0), Event::silent);
  EXPECT_EQ(watch.update(200.0, 0, 5.0), Event::none);
  EXPECT_EQ(watch.update(201.0, 3, 5.0), Event::recovered);
  EXPECT_EQ(watch.update(205.0, 4, 5.0), Event::none);
  EXPECT_EQ(watch.update(209.9, 4, 5.0), Event::none);
  EXPECT_EQ(watch.update(210.0, 4, 5.0), Event::silent);
}

}  // namespace
}  // namespace pointtree::ros

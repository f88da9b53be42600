// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "pointtree/perception/point_buffer.hpp"
#include "reliability/recording_host.hpp"
#include "reliability/small_bundle.hpp"
#include "ros/cloud_node.hpp"
#include "temporary_folder.hpp"

namespace pointtree::ros {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// Between the stamps of two clouds, in nanoseconds.
inline constexpr std::int64_t kPeriod = 100'000'000;

/// Points as a message of x y z float32.
inline PointCloud2 message_of(const perception::PointBuffer& points) {
  PointCloud2 cloud;
  cloud.header.frame_id = "lidar";
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(points.size());
  cloud.point_step = 12;
  cloud.row_step = cloud.width * cloud.point_step;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    sensor_msgs::msg::PointField field;
    field.name = std::string(1, static_cast<char>('x' + axis));
    field.offset = 4 * axis;
    field.datatype = sensor_msgs::msg::PointField::FLOAT32;
    field.count = 1;
    cloud.fields.push_back(field);
  }
  cloud.data.resize(cloud.row_step);
  std::memcpy(cloud.data.data(), points.front().data(), cloud.data.size());
  return cloud;
}

/// A running node with a small model, and clouds that know how many of them are alive.
class RunningNode : public ::testing::Test {
 protected:
  RunningNode() {
    reliability::write_numbered_bundle(folder_ / "bundle", 1, reliability::small_model());
    const ParameterChanges parameters = {{"model", (folder_ / "bundle").string()},
                                         {"threads", std::int64_t{1}},
                                         {"diagnostics.period", 0.05}};
    node_ = std::make_unique<CloudNode>(host_, parameters);
    node_->start();
  }

  /// Sends a copy of the cloud with the next stamp, which it returns.
  std::int64_t send(const PointCloud2& cloud, bool broken = false) {
    const std::int64_t stamp = ++number_ * kPeriod;
    ++sent_;
    auto copy = std::make_unique<PointCloud2>(cloud);
    copy->header.stamp.sec = static_cast<std::int32_t>(stamp / 1'000'000'000);
    copy->header.stamp.nanosec = static_cast<std::uint32_t>(stamp % 1'000'000'000);
    if (broken) ++copy->width;
    most_alive_ = std::max(most_alive_, ++alive_);
    node_->accept({copy.release(), [this](const PointCloud2* gone) {
                     delete gone;
                     --alive_;
                   }});
    return stamp;
  }

  /// Sends one cloud after another, each once the one before is answered; how long answers took.
  std::vector<Milliseconds> serve(const PointCloud2& cloud, int count) {
    std::vector<Milliseconds> times;
    for (int i = 0; i < count; ++i) {
      const auto start = RecordingHost::Clock::now();
      EXPECT_TRUE(host_.wait_for_answer(send(cloud)));
      times.push_back(RecordingHost::Clock::now() - start);
    }
    return times;
  }

  /// Waits until every cloud that was sent is accounted for and gone.
  bool settle() {
    if (!host_.wait_until_settled(sent_)) return false;
    while (alive_ > 0) std::this_thread::sleep_for(Milliseconds(0.1));
    return true;
  }

  test::TemporaryFolder folder_;
  RecordingHost host_;
  std::uint64_t sent_ = 0;
  std::int64_t number_ = 0;  ///< of the last cloud; times kPeriod its stamp
  std::atomic<int> alive_ = 0;
  int most_alive_ = 0;
  std::unique_ptr<CloudNode> node_;
};

}  // namespace pointtree::ros

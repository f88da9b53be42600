// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <rosgraph_msgs/msg/clock.hpp>

#include "pointtree/ros/conversions.hpp"
#include "rcl_handles.hpp"

namespace pointtree::ros {

/// The node's time: the system's, or with `use_sim_time` the last one heard on /clock.
class NodeClock {
 public:
  explicit NodeClock(Node& node) : node_(node) {}

  /// Nanoseconds; 0 before the first simulated time.
  std::int64_t now() const {
    if (simulated_) return simulated_now_;
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count();
  }

  bool simulated() const { return simulated_; }

  /// To be called by the waiting thread.
  void simulate(bool simulated) {
    if (simulated == simulated_) return;
    simulated_now_ = 0;
    simulated_ = simulated;
    subscription_.reset();
    if (!simulated) return;
    rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
    qos.depth = 1;
    using rosgraph_msgs::msg::Clock;
    subscription_ = std::make_unique<Subscription<Clock>>(
        node_, "/clock", qos, [this](const std::shared_ptr<const Clock>& message) {
          simulated_now_ = nanoseconds(message->clock);
        });
  }

  /// What to wait for; null on system time.
  Waitable* subscription() { return subscription_.get(); }

 private:
  Node& node_;
  std::atomic<bool> simulated_ = false;
  std::atomic<std::int64_t> simulated_now_ = 0;
  std::unique_ptr<Waitable> subscription_;
};

}  // namespace pointtree::ros

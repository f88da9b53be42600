// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "ros/node_host.hpp"

namespace pointtree::ros {

/// Stands in for the ROS client library: wants every output, remembers when each cloud was answered
/// and what the last diagnostics said, and throws everything else away.
class RecordingHost final : public NodeHost {
 public:
  using Clock = std::chrono::steady_clock;

  struct Answer {
    std::int64_t stamp;
    Clock::time_point time;
  };

  std::string name() const override { return "/loaded"; }
  std::int64_t now() const override { return Clock::now().time_since_epoch().count(); }
  void log(Severity /*severity*/, const std::string& /*text*/) override {}
  bool wanted(Output /*output*/) const override { return true; }

  void publish(Output output, OutputMessage message) override {
    const std::lock_guard lock(mutex_);
    if (output == Output::segmentation) {
      const auto& cloud = *std::get<std::unique_ptr<PointCloud2>>(message);
      answers_.push_back({nanoseconds(cloud.header.stamp), Clock::now()});
    } else if (output == Output::diagnostics) {
      const auto& array =
          *std::get<std::unique_ptr<diagnostic_msgs::msg::DiagnosticArray>>(message);
      for (const auto& entry : array.status.front().values) figures_[entry.key] = entry.value;
    }
    news_.notify_all();
  }

  std::string input_topic() const override { return "/points"; }
  std::vector<InputPublisher> input_publishers() const override { return {}; }
  void subscribe(const QosConfig& /*qos*/, CloudHandler /*handler*/) override {}
  std::uint64_t lost() override { return 0; }
  std::string listen_for_transforms() override { return "there are none in this test"; }
  tl::expected<Eigen::Isometry3d, std::string> transform(const std::string& /*target*/,
                                                         const std::string& /*source*/,
                                                         std::int64_t /*stamp*/,
                                                         double /*timeout*/) override {
    return tl::unexpected(std::string("there are none in this test"));
  }

  /// A count of the last diagnostics; 0 before the first.
  std::uint64_t count(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    return count_of(key);
  }

  /// An entry of the last diagnostics.
  std::string text(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = figures_.find(key);
    return found == figures_.end() ? "" : found->second;
  }

  /// Waits until `received` clouds came and all are accounted for; false where that takes too long.
  bool wait_until_settled(std::uint64_t received) {
    return wait([&] {
      return count_of("received") == received &&
             count_of("processed") + count_of("dropped") + count_of("rejected") == received;
    });
  }

  /// Waits until the cloud of that stamp was answered.
  bool wait_for_answer(std::int64_t stamp) {
    return wait([&] { return !answers_.empty() && answers_.back().stamp == stamp; });
  }

  /// The answers since the last call.
  std::vector<Answer> take_answers() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answers_, {});
  }

 private:
  std::uint64_t count_of(const std::string& key) const {
    const auto found = figures_.find(key);
    return found == figures_.end() ? 0 : std::stoull(found->second);
  }

  template <typename Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, std::chrono::minutes(1), condition);
  }

  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::vector<Answer> answers_;
  std::map<std::string, std::string> figures_;
};

}  // namespace pointtree::ros

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "node_clock.hpp"
#include "parameter_server.hpp"
#include "rcl_handles.hpp"
#include "ros/cloud_node.hpp"
#include "ros/node_host.hpp"

namespace pointtree::ros {

/// The node on the C library `rcl` alone, for machines without rclcpp.
class StandaloneNode final : public NodeHost {
 public:
  /// Starts the node with the process's arguments; throws std::runtime_error with the reason.
  StandaloneNode(int argc, const char* const* argv);

  /// Serves until stop().
  void spin();

  /// May be called from any thread.
  void stop();

  std::string name() const override { return node_.full_name(); }
  std::int64_t now() const override { return clock_.now(); }
  void log(Severity severity, const std::string& text) override;
  bool wanted(Output output) const override { return publisher(output).subscribers() > 0; }
  void publish(Output output, OutputMessage message) override;
  std::string input_topic() const override { return node_.resolve(kInputTopic); }
  std::vector<InputPublisher> input_publishers() const override {
    return node_.publishers(input_topic());
  }
  void subscribe(const QosConfig& qos, CloudHandler handler) override;
  std::uint64_t lost() override { return losses_.lost(); }
  std::string listen_for_transforms() override { return kNoTransforms; }
  tl::expected<Eigen::Isometry3d, std::string> transform(const std::string& target,
                                                         const std::string& source,
                                                         std::int64_t stamp,
                                                         double timeout) override;

 private:
  /// Waits for one of these, or for stop(), again and again.
  template <typename Waitables>
  void serve(Waitables waitables, GuardCondition& guard);
  const Publisher& publisher(Output output) const {
    return *publishers_[static_cast<std::size_t>(output)];
  }

  Context context_;
  Node node_;
  NodeClock clock_;
  std::atomic<bool> stopped_ = false;
  GuardCondition wake_input_;
  GuardCondition stop_services_;
  std::array<std::unique_ptr<Publisher>, static_cast<std::size_t>(Output::count)> publishers_;
  LossCounter losses_;
  std::unique_ptr<Waitable> input_;
  std::mutex input_mutex_;
  std::function<std::unique_ptr<Waitable>()> make_input_;  ///< for the thread that serves it
  std::unique_ptr<CloudNode> cloud_node_;
  std::unique_ptr<ParameterServer> parameters_;
  std::unique_ptr<Waitable> reload_;
};

}  // namespace pointtree::ros

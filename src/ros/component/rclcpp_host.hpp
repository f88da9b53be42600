// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gate.hpp"
#include "ros/loss_counter.hpp"
#include "ros/node_config.hpp"
#include "ros/node_host.hpp"
#include "transforms.hpp"

namespace pointtree::ros {

/// Clock, log, publishers and transforms of a node on rclcpp.
class RclcppHost final : public NodeHost {
 public:
  /// The node must outlive the host; clouds come through the gate.
  RclcppHost(rclcpp::Node& node, std::shared_ptr<Gate> gate)
      : node_(node), gate_(std::move(gate)), transforms_(node) {}
  ~RclcppHost() override { drop_input(); }
  RclcppHost(const RclcppHost&) = delete;
  RclcppHost& operator=(const RclcppHost&) = delete;

  /// Makes the publishers; to be called before the first publish().
  void advertise(const NodeConfig& config);

  /// Lets a frame that waits for a transform go; for the node's end.
  void stop() { transforms_.stop(); }

  std::string name() const override { return node_.get_fully_qualified_name(); }
  std::int64_t now() const override { return node_.now().nanoseconds(); }
  void log(Severity severity, const std::string& text) override;
  bool wanted(Output output) const override;
  void publish(Output output, OutputMessage message) override;
  std::string input_topic() const override {
    return node_.get_node_topics_interface()->resolve_topic_name(kInputTopic);
  }
  std::vector<InputPublisher> input_publishers() const override;
  void subscribe(const QosConfig& qos, CloudHandler handler) override;
  std::uint64_t lost() override { return losses_->lost() + handed_losses_->lost(); }
  std::string listen_for_transforms() override { return transforms_.listen(); }
  tl::expected<Eigen::Isometry3d, std::string> transform(const std::string& target,
                                                         const std::string& source,
                                                         std::int64_t stamp,
                                                         double timeout) override {
    return transforms_.find(target, source, stamp, timeout);
  }

 private:
  struct Topic {
    rclcpp::PublisherBase::SharedPtr publisher;
    std::function<void(OutputMessage)> send;
  };

  void drop_input();

  rclcpp::Node& node_;
  std::shared_ptr<Gate> gate_;
  Transforms transforms_;
  std::shared_ptr<LossCounter> losses_ = std::make_shared<LossCounter>();
  std::shared_ptr<LossCounter> handed_losses_ =
      std::make_shared<LossCounter>();  ///< in the process
  rclcpp::CallbackGroup::SharedPtr input_group_;
  rclcpp::SubscriptionBase::SharedPtr input_;
  std::array<Topic, static_cast<std::size_t>(Output::count)> topics_;
};

/// The quality of service as rclcpp takes it.
rclcpp::QoS to_qos(const QosConfig& qos);

/// Whether messages may stay within the process: rclcpp keeps none there for late subscribers.
rclcpp::IntraProcessSetting intra_process(const QosConfig& qos);

}  // namespace pointtree::ros

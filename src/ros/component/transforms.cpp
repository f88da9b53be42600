// SPDX-License-Identifier: Apache-2.0
#include "transforms.hpp"

#if __has_include(<tf2_ros/buffer.hpp>)
#include <tf2_ros/buffer.hpp>
#include <tf2_ros/transform_listener.hpp>
#else
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>
#endif

#include <chrono>
#include <thread>

namespace pointtree::ros {

/// tf2's memory of transforms, filled by a thread of its own.
class Transforms::Listener {
 public:
  explicit Listener(rclcpp::Node& node)
      : buffer_(std::make_shared<tf2_ros::Buffer>(node.get_clock())),
        listener_(*buffer_, &node, true, tf2_ros::DynamicListenerQoS(),
                  tf2_ros::StaticListenerQoS(), between_processes(), between_processes()) {
    // tf2's listener asks for transient local, which a bag played without stored QoS does not
    // offer.
    volatile_static_ = node.create_subscription<tf2_msgs::msg::TFMessage>(
        "/tf_static", rclcpp::QoS(100),
        [buffer = buffer_](const tf2_msgs::msg::TFMessage& message) {
          for (const auto& transform : message.transforms)
            buffer->setTransform(transform, "tf_static", true);
        });
  }

  tf2_ros::Buffer& buffer() { return *buffer_; }

 private:
  /// Before Jazzy, a node within whose process messages stay can't ask for transient local ones.
  static rclcpp::SubscriptionOptions between_processes() {
    rclcpp::SubscriptionOptions options;
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    return options;
  }

  std::shared_ptr<tf2_ros::Buffer> buffer_;
  tf2_ros::TransformListener listener_;
  rclcpp::SubscriptionBase::SharedPtr volatile_static_;
};

Transforms::Transforms(rclcpp::Node& node) : node_(node) {}
Transforms::~Transforms() = default;

std::string Transforms::listen() {
  if (!listener_) listener_ = std::make_unique<Listener>(node_);
  return "";
}

tl::expected<Eigen::Isometry3d, std::string> Transforms::find(const std::string& target,
                                                              const std::string& source,
                                                              std::int64_t stamp, double timeout) {
  const tf2::TimePoint time{std::chrono::nanoseconds(stamp)};
  // tf2_ros would wait on the node's clock, for ever where a simulation stands still.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(timeout));
  std::string reason;
  while (!listener_->buffer().canTransform(target, source, time, &reason)) {
    if (stopped_ || Clock::now() >= end) return tl::unexpected(reason);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    reason.clear();
  }
  try {
    const auto found = listener_->buffer().lookupTransform(target, source, time).transform;
    Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
    transform.translate(
        Eigen::Vector3d(found.translation.x, found.translation.y, found.translation.z));
    transform.rotate(
        Eigen::Quaterniond(found.rotation.w, found.rotation.x, found.rotation.y, found.rotation.z)
            .normalized());
    return transform;
  } catch (const tf2::TransformException& error) {
    return tl::unexpected(std::string(error.what()));
  }
}

}  // namespace pointtree::ros

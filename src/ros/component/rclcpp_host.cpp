// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_host.hpp"

#include <utility>

#include "ros/parameter_messages.hpp"

namespace pointtree::ros {

rclcpp::QoS to_qos(const QosConfig& qos) {
  const rmw_qos_profile_t profile = to_profile(qos);
  return rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(profile), profile);
}

rclcpp::IntraProcessSetting intra_process(const QosConfig& qos) {
  return qos.durability == "transient_local" ? rclcpp::IntraProcessSetting::Disable
                                             : rclcpp::IntraProcessSetting::NodeDefault;
}

void RclcppHost::advertise(const NodeConfig& config) {
  for_each_output(config, [&](auto type, Output output, const char* topic, const QosConfig& qos) {
    using Message = typename decltype(type)::Type;
    rclcpp::PublisherOptions options;
    options.use_intra_process_comm = intra_process(qos);
    const auto publisher = node_.create_publisher<Message>(topic, to_qos(qos), options);
    topics_[static_cast<std::size_t>(output)] = {
        publisher, [publisher](OutputMessage message) {
          publisher->publish(std::get<std::unique_ptr<Message>>(std::move(message)));
        }};
  });
}

std::vector<InputPublisher> RclcppHost::input_publishers() const {
  std::vector<InputPublisher> publishers;
  for (const rclcpp::TopicEndpointInfo& info : node_.get_publishers_info_by_topic(input_topic())) {
    const std::string& space = info.node_namespace();
    publishers.push_back(
        {space + (space == "/" ? "" : "/") + info.node_name(), info.topic_type(),
         info.qos_profile().reliability() != rclcpp::ReliabilityPolicy::BestEffort,
         info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal});
  }
  return publishers;
}

void RclcppHost::subscribe(const QosConfig& qos, CloudHandler handler) {
  if (!input_group_) {
    input_group_ = node_.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  }
  rclcpp::SubscriptionOptions options;
  options.callback_group = input_group_;
  options.use_intra_process_comm = intra_process(qos);
  input_.reset();  // two at once would hear a cloud twice
  input_ = node_.create_subscription<PointCloud2>(
      kInputTopic, to_qos(qos),
      [gate = gate_, handler = std::move(handler)](std::shared_ptr<const PointCloud2> cloud) {
        gate->pass([&] { handler(std::move(cloud)); });
      },
      options);
}

void RclcppHost::log(Severity severity, const std::string& text) {
  switch (severity) {
    case Severity::info:
      RCLCPP_INFO(node_.get_logger(), "%s", text.c_str());
      break;
    case Severity::warning:
      RCLCPP_WARN(node_.get_logger(), "%s", text.c_str());
      break;
    case Severity::error:
      RCLCPP_ERROR(node_.get_logger(), "%s", text.c_str());
  }
}

bool RclcppHost::wanted(Output output) const {
  const Topic& topic = topics_[static_cast<std::size_t>(output)];
  return topic.publisher->get_subscription_count() > 0 ||
         topic.publisher->get_intra_process_subscription_count() > 0;
}

void RclcppHost::publish(Output output, OutputMessage message) {
  topics_[static_cast<std::size_t>(output)].send(std::move(message));
}

}  // namespace pointtree::ros

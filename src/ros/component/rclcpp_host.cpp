// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_host.hpp"

#include <utility>

#include "ros/parameter_messages.hpp"

namespace pointtree::ros {
namespace {

/// Memory for clouds that are taken; it alone sees those too that rclcpp then ignores, having got
/// them within the process, and when there was none to take.
class CountedMemory final
    : public rclcpp::message_memory_strategy::MessageMemoryStrategy<PointCloud2> {
 public:
  explicit CountedMemory(std::shared_ptr<LossCounter> losses) : losses_(std::move(losses)) {}

  std::shared_ptr<PointCloud2> borrow_message() override {
    losses_->taking();
    auto cloud = MessageMemoryStrategy::borrow_message();
    cloud->height = kUntouched;
    return cloud;
  }

  void return_message(std::shared_ptr<PointCloud2>& cloud) override {
    if (cloud->height == kUntouched) losses_->found_none();
    MessageMemoryStrategy::return_message(cloud);
  }

 private:
  static constexpr std::uint32_t kUntouched = 0xFFFFFFFF;

  std::shared_ptr<LossCounter> losses_;
};

}  // namespace

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

std::vector<InputPublisher> RclcppHost::input_publishers() const try {
  std::vector<InputPublisher> publishers;
  for (const rclcpp::TopicEndpointInfo& info : node_.get_publishers_info_by_topic(input_topic())) {
    const std::string& space = info.node_namespace();
    publishers.push_back(
        {space + (space == "/" ? "" : "/") + info.node_name(), info.topic_type(),
         info.qos_profile().reliability() != rclcpp::ReliabilityPolicy::BestEffort,
         info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal});
  }
  return publishers;
} catch (const rclcpp::exceptions::RCLError&) {
  return {};  // ROS was shut down before the node was taken apart
}

void RclcppHost::subscribe(const QosConfig& qos, CloudHandler handler) {
  if (!input_group_) {
    input_group_ = node_.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  }
  rclcpp::SubscriptionOptions options;
  options.callback_group = input_group_;
  options.use_intra_process_comm = intra_process(qos);
  drop_input();  // two at once would hear a cloud twice
  for (const auto& losses : {losses_, handed_losses_}) {
    losses->restart(static_cast<std::size_t>(qos.depth));
  }
  const auto take = [gate = gate_, losses = losses_, handed = handed_losses_,
                     handler = std::move(handler)](std::shared_ptr<const PointCloud2> cloud,
                                                   const rclcpp::MessageInfo& info) {
    const rmw_message_info_t& told = info.get_rmw_message_info();
    told.from_intra_process ? handed->taking() : losses->taken(told);
    gate->pass([&] { handler(std::move(cloud)); });
  };
  const auto topics = node_.get_node_topics_interface();
  input_ = topics->create_subscription(kInputTopic,
                                       rclcpp::create_subscription_factory<PointCloud2>(
                                           take, options, std::make_shared<CountedMemory>(losses_)),
                                       to_qos(qos));
  // An executor that wants the notices for itself takes them from us, being told of the input
  // later.
  try {
    input_->set_on_new_message_callback([losses = losses_](auto count) { losses->arrived(count); });
  } catch (const rclcpp::exceptions::RCLError&) {
    RCLCPP_DEBUG(node_.get_logger(), "this middleware does not tell of arrivals");
  }
  if (input_->get_intra_process_waitable()) {
    input_->set_on_new_intra_process_message_callback(
        [losses = handed_losses_](auto count) { losses->arrived(count); });
  }
  topics->add_subscription(input_, input_group_);
}

void RclcppHost::drop_input() {
  if (!input_) return;
  // The middleware may hold its reader longer than rclcpp holds what is to be told of arrivals.
  try {
    input_->clear_on_new_message_callback();
  } catch (const rclcpp::exceptions::RCLError&) {  // it never told of any
  }
  input_.reset();
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

// SPDX-License-Identifier: Apache-2.0
#include "rcl_handles.hpp"

#include <rcl/graph.h>
#include <rcl/logging.h>

#include <stdexcept>

namespace pointtree::ros {

void check(rcl_ret_t code, const std::string& doing) {
  if (code == RCL_RET_OK) return;
  const std::string reason = rcl_get_error_string().str;
  rcl_reset_error();
  throw std::runtime_error(doing + ": " + reason);
}

Context::Context(int argc, const char* const* argv) {
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  check(rcl_init_options_init(&options, rcl_get_default_allocator()), "preparing ROS");
  const Owned<rcl_init_options_t> owned(
      options, [](rcl_init_options_t* own) { return rcl_init_options_fini(own); });
  check(rcl_init(argc, argv, owned.get(), &context_), "starting ROS");
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  check(rcl_logging_configure(&context_.global_arguments, &allocator), "starting the log");
}

Context::~Context() {
  if (rcl_logging_fini() != RCL_RET_OK) rcl_reset_error();
  if (rcl_shutdown(&context_) != RCL_RET_OK) rcl_reset_error();
  if (rcl_context_fini(&context_) != RCL_RET_OK) rcl_reset_error();
}

Node::Node(Context& context, const char* name) {
  // Made where it stays: rcl's log remembers the node's address until the node's end.
  node_ = std::make_unique<Owned<rcl_node_t>>(rcl_get_zero_initialized_node(),
                                              [](rcl_node_t* own) { return rcl_node_fini(own); });
  const rcl_node_options_t options = rcl_node_get_default_options();
  check(rcl_node_init(node_->get(), name, "", context.get(), &options), "starting the node");
}

std::string Node::resolve(const char* topic) const {
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  char* resolved = nullptr;
  check(rcl_node_resolve_name(node_->get(), topic, allocator, false, false, &resolved),
        std::string("resolving ") + topic);
  const std::string name = resolved;
  allocator.deallocate(resolved, allocator.state);
  return name;
}

std::vector<InputPublisher> Node::publishers(const std::string& topic) const {
  rcutils_allocator_t allocator = rcutils_get_default_allocator();
  rcl_topic_endpoint_info_array_t handle = rcl_get_zero_initialized_topic_endpoint_info_array();
  check(rcl_get_publishers_info_by_topic(node_->get(), &allocator, topic.c_str(), false, &handle),
        "looking for publishers");
  const Owned<rcl_topic_endpoint_info_array_t> found(
      handle, [&allocator](rcl_topic_endpoint_info_array_t* own) {
        return rcl_topic_endpoint_info_array_fini(own, &allocator);
      });
  std::vector<InputPublisher> publishers;
  for (std::size_t i = 0; i < found.get()->size; ++i) {
    const rcl_topic_endpoint_info_t& info = found.get()->info_array[i];
    const std::string space = info.node_namespace;
    publishers.push_back(
        {space + (space == "/" ? "" : "/") + info.node_name, info.topic_type,
         info.qos_profile.reliability != RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
         info.qos_profile.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL});
  }
  return publishers;
}

Publisher::Publisher(Node& node, const rosidl_message_type_support_t* type, const char* topic,
                     const rmw_qos_profile_t& qos) {
  rcl_publisher_t handle = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos;
  check(rcl_publisher_init(&handle, node.get(), type, topic, &options),
        std::string("advertising ") + topic);
  publisher_ = std::make_unique<Owned<rcl_publisher_t>>(
      handle, [&node](rcl_publisher_t* own) { return rcl_publisher_fini(own, node.get()); });
}

void Publisher::publish(const void* message) const {
  check(rcl_publish(publisher_->get(), message, nullptr), "publishing");
}

std::size_t Publisher::subscribers() const {
  std::size_t count = 0;
  check(rcl_publisher_get_subscription_count(publisher_->get(), &count), "counting subscribers");
  return count;
}

GuardCondition::GuardCondition(Context& context) {
  rcl_guard_condition_t handle = rcl_get_zero_initialized_guard_condition();
  check(rcl_guard_condition_init(&handle, context.get(), rcl_guard_condition_get_default_options()),
        "preparing to stop");
  guard_ = std::make_unique<Owned<rcl_guard_condition_t>>(
      handle, [](rcl_guard_condition_t* own) { return rcl_guard_condition_fini(own); });
}

void GuardCondition::trigger() { check(rcl_trigger_guard_condition(guard_->get()), "stopping"); }

}  // namespace pointtree::ros

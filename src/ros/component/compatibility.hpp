// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/version.h>

#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <vector>

namespace pointtree::ros {

/// The quality of service of services, as rclcpp's create_service takes it: Humble's wants rmw's.
inline auto services_qos() {
#if RCLCPP_VERSION_MAJOR < 17
  return rmw_qos_profile_services_default;
#else
  return rclcpp::ServicesQoS();
#endif
}

/// To be called once the node has all its callback groups. Humble's executors go on waiting for the
/// guard conditions of a removed node's groups, all but one, and would abort the container once
/// those are gone; so they stay, some hundred bytes for each node that was ever loaded.
inline void keep_guard_conditions([[maybe_unused]] rclcpp::Node& node) {
#if RCLCPP_VERSION_MAJOR < 17
  static auto& kept = *new std::vector<rclcpp::GuardCondition::SharedPtr>;
  static auto& guard = *new std::mutex;
  node.for_each_callback_group([&](const rclcpp::CallbackGroup::SharedPtr& group) {
    const std::lock_guard<std::mutex> lock(guard);
    kept.push_back(
        group->get_notify_guard_condition(node.get_node_base_interface()->get_context()));
  });
#endif
}

}  // namespace pointtree::ros

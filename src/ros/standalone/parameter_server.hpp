// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rcl_interfaces/msg/list_parameters_result.hpp>
#include <rcl_interfaces/msg/parameter.hpp>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <rcl_interfaces/msg/set_parameters_result.hpp>
#include <string>
#include <vector>

#include "rcl_handles.hpp"
#include "ros/cloud_node.hpp"

namespace pointtree::ros {

/// A clock that follows /clock while told to, and the system's otherwise.
class NodeClock;

/// The six parameter services of a ROS 2 node and its part of /parameter_events, as rclcpp and
/// rclpy offer them.
class ParameterServer {
 public:
  ParameterServer(Node& node, CloudNode& cloud_node, NodeClock& clock);

  const std::vector<std::unique_ptr<Waitable>>& services() const { return services_; }

 private:
  using Parameters = std::vector<rcl_interfaces::msg::Parameter>;

  rcl_interfaces::msg::ParameterValue value(const std::string& name) const;
  rcl_interfaces::msg::ParameterDescriptor descriptor(const std::string& name) const;
  rcl_interfaces::msg::SetParametersResult set(const Parameters& wanted);
  rcl_interfaces::msg::ListParametersResult list(const std::vector<std::string>& prefixes,
                                                 std::uint64_t depth) const;
  void publish_event(const std::vector<std::string>& changed);
  template <typename Srv, typename Handler>
  void offer(const char* name, Handler handler);

  Node& node_;
  CloudNode& cloud_node_;
  NodeClock& clock_;
  std::unique_ptr<Publisher> events_;
  std::vector<std::unique_ptr<Waitable>> services_;
};

}  // namespace pointtree::ros

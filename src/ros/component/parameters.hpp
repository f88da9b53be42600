// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <vector>

#include "gate.hpp"
#include "ros/cloud_node.hpp"

namespace pointtree::ros {

/// What arguments, files or a container gave to the node, but for rclcpp's own parameters. Throws
/// std::runtime_error naming one whose value is an array.
ParameterChanges given_parameters(rclcpp::Node& node);

/// The parameters of a CloudNode as those of a node on rclcpp.
class Parameters {
 public:
  /// Declares them with the values that the CloudNode has; changes come through the gate.
  Parameters(rclcpp::Node& node, CloudNode& cloud_node, const std::shared_ptr<Gate>& gate);

 private:
  using Changes = std::vector<rclcpp::Parameter>;

  rcl_interfaces::msg::SetParametersResult change(const Changes& changes);

  CloudNode& cloud_node_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr on_change_;
};

}  // namespace pointtree::ros

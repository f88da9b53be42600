// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>

namespace pointtree {

/// The node on rclcpp: to be loaded into a container as "pointtree::PointTreeNode", made by a
/// program of one's own, or started as the package's program `pointtree_node`.
///
/// Parameters, clouds and the node's own services are in callback groups of their own, so that with
/// an executor of several threads none waits for another. Clouds are processed on a thread of the
/// node's, whatever the executor.
class PointTreeNode : public rclcpp::Node {
 public:
  /// Throws std::runtime_error with everything that is wrong with the parameters or the model.
  explicit PointTreeNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~PointTreeNode() override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pointtree

// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "pointtree/ros/point_tree_node.hpp"

int main(int argc, char** argv) {
  try {
    rclcpp::init(argc, argv);
    // One for clouds, one for parameters, one for the node's own services.
    rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
    const auto node = std::make_shared<pointtree::PointTreeNode>();
    executor.add_node(node);
    executor.spin();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pointtree node: %s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that has the node in its own process and reads its messages.
#include <cstdio>
#include <exception>
#include <pointtree/msg/labeled_object_array.hpp>
#include <pointtree/ros/point_tree_node.hpp>

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  try {
    const auto node = std::make_shared<pointtree::PointTreeNode>();
    std::printf("%s with %zu objects\n", node->get_name(),
                pointtree::msg::LabeledObjectArray().objects.size());
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}

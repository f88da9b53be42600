// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "pointtree/ros/point_tree_node.hpp"

namespace {

constexpr const char* kUsage =
    "Usage: pointtree_node [--ros-args ...]\n"
    "Takes sensor_msgs/PointCloud2 on ~/input/pointcloud, publishes labels on ~/output/*.\n"
    "  --ros-args -r '~/input/pointcloud:=/lidar/points'  the clouds' topic\n"
    "  --ros-args -p model:=NAME_OR_FOLDER                a parameter\n"
    "  --ros-args --params-file FILE                      parameters as in config/node.yaml\n"
    "  -h, --help                                         this text\n";

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments = rclcpp::remove_ros_arguments(argc, argv);
    if (arguments.size() > 1) {
      const bool asked = arguments[1] == "--help" || arguments[1] == "-h";
      if (!asked)
        std::fprintf(stderr, "pointtree node: unknown argument %s\n", arguments[1].c_str());
      std::fputs(kUsage, asked ? stdout : stderr);
      return asked ? 0 : 2;
    }
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pointtree/ros/point_tree_node.hpp"

namespace pointtree {

using namespace std::chrono_literals;  // NOLINT(google-global-names-in-headers)
using sensor_msgs::msg::PointCloud2;

/// A wall and the ground before it, as a lidar at a height of 2 m would see them.
inline PointCloud2 make_cloud(const std::string& frame = "lidar") {
  std::vector<float> points;
  for (int i = -50; i < 50; ++i) {
    for (int k = 0; k < 40; ++k) {
      const float y = 0.1F * static_cast<float>(i);
      points.insert(points.end(), {4.0F + 0.2F * static_cast<float>(k), y, -2.0F});
      if (k < 20) points.insert(points.end(), {12.0F, y, -1.9F + 0.1F * static_cast<float>(k)});
    }
  }
  PointCloud2 cloud;
  cloud.header.frame_id = frame;
  cloud.header.stamp.sec = 7;
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(points.size() / 3);
  for (const char* name : {"x", "y", "z"}) {
    sensor_msgs::msg::PointField field;
    field.name = name;
    field.offset = static_cast<std::uint32_t>(4 * cloud.fields.size());
    field.datatype = sensor_msgs::msg::PointField::FLOAT32;
    field.count = 1;
    cloud.fields.push_back(field);
  }
  cloud.point_step = 12;
  cloud.row_step = cloud.width * cloud.point_step;
  cloud.data.resize(points.size() * sizeof(float));
  std::memcpy(cloud.data.data(), points.data(), cloud.data.size());
  return cloud;
}

/// A folder with a small model, made once.
inline std::string model_folder() {
  static const std::string kFolder = [] {
    const auto folder = std::filesystem::temp_directory_path() / "pointtree_composition_model";
    const std::string build = std::getenv("POINTTREE_BUILD");
    const std::string command = build + "/bin/make_bundle " + folder.string() + " objects 1";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(command + " failed");
    return folder.string();
  }();
  return kFolder;
}

/// The node and one that talks to it, in one executor.
class Composition {
 public:
  explicit Composition(bool intra_process, std::vector<rclcpp::Parameter> parameters = {}) {
    parameters.emplace_back("model", model_folder());
    rclcpp::NodeOptions options;
    options.use_intra_process_comms(intra_process);
    talker_ = std::make_shared<rclcpp::Node>("talker", options);
    node_ = std::make_shared<PointTreeNode>(options.parameter_overrides(parameters));
    publisher_ = talker_->create_publisher<PointCloud2>("/pointtree/input/pointcloud", 5);
    subscription_ = talker_->create_subscription<PointCloud2>(
        "/pointtree/output/segmentation", 5,
        [this](PointCloud2::UniquePtr cloud) { answers_.push_back(std::move(*cloud)); });
    executor_.add_node(talker_);
    executor_.add_node(node_);
  }

  rclcpp::Publisher<PointCloud2>& publisher() { return *publisher_; }
  std::vector<PointCloud2>& answers() { return answers_; }
  rclcpp::Node& talker() { return *talker_; }
  std::shared_ptr<PointTreeNode>& node() { return node_; }
  rclcpp::Executor& executor() { return executor_; }

  void connect() {
    while (publisher_->get_subscription_count() == 0 || subscription_->get_publisher_count() == 0)
      executor_.spin_once(10ms);
  }

  /// Spins until there are as many answers, for at most as long.
  bool wait_for(std::size_t count, std::chrono::seconds patience = 30s) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (answers_.size() < count && std::chrono::steady_clock::now() < end)
      executor_.spin_once(10ms);
    return answers_.size() >= count;
  }

 private:
  std::vector<PointCloud2> answers_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr talker_;
  std::shared_ptr<PointTreeNode> node_;
  rclcpp::Publisher<PointCloud2>::SharedPtr publisher_;
  rclcpp::Subscription<PointCloud2>::SharedPtr subscription_;
};

}  // namespace pointtree

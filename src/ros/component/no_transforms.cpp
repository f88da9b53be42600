// SPDX-License-Identifier: Apache-2.0

// What stands for transforms.cpp where tf2_ros is not found.
#include "ros/node_host.hpp"
#include "transforms.hpp"

namespace pointtree::ros {

class Transforms::Listener {};

Transforms::Transforms(rclcpp::Node& node) : node_(node) {}
Transforms::~Transforms() = default;

std::string Transforms::listen() { return kNoTransforms; }

tl::expected<Eigen::Isometry3d, std::string> Transforms::find(const std::string&,
                                                              const std::string&, std::int64_t,
                                                              double) {
  return tl::unexpected(std::string(kNoTransforms));
}

}  // namespace pointtree::ros

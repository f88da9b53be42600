// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <string_view>
#include <vector>

#include "pointtree/io/point_cloud2.hpp"

namespace pointtree::io {

/// geometry_msgs/msg/TransformStamped: takes points of the child's frame into the header's frame.
struct TransformMessage {
  MessageHeader header;
  std::string child_frame_id;
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// The ROS name of the type.
inline constexpr std::string_view kTransformsType = "tf2_msgs/msg/TFMessage";

/// Serializes tf2_msgs/msg/TFMessage.
Bytes encode_transforms(const std::vector<TransformMessage>& transforms, bool big_endian = false);

}  // namespace pointtree::io

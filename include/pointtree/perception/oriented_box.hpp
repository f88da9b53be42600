// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// A box around an object; its own z axis points up.
struct OrientedBox {
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  Eigen::Vector3f size =
      Eigen::Vector3f::Zero();  ///< length along the box's x (the longer), width, height
  Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
};

/// The upright box over the smallest rectangle that holds the points seen from above (z up);
/// O(n log n). The points must not be empty.
OrientedBox bounding_box(const PointBuffer& points);

}  // namespace pointtree::perception

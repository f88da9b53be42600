// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::perception {

/// Points that are filled anew each frame in memory that is kept.
using PointBuffer = std::vector<Eigen::Vector3f>;

/// The buffer as the rest of the package sees clouds; no copy.
inline geometry::PointsView as_view(const PointBuffer& points) {
  static_assert(sizeof(Eigen::Vector3f) == 3 * sizeof(float), "points must be packed");
  const float* data = points.empty() ? nullptr : points.front().data();
  const Eigen::Map<const geometry::Points> map(data, static_cast<Eigen::Index>(points.size()), 3);
  return map;
}

}  // namespace pointtree::perception

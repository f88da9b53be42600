// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::datasets {

/// Indices of the points of a surface sample that an eye at `viewpoint` sees, ascending.
///
/// A depth buffer over the view, whose cells follow from the spacing of the points, decides what
/// hides what: about O(n). For sets that have no mesh to cast rays at.
std::vector<std::int32_t> visible_points(const geometry::PointsView& points,
                                         const Eigen::Vector3d& viewpoint);

}  // namespace pointtree::datasets

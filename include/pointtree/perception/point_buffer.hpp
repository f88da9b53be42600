// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::perception {

/// Points that are filled anew each frame in memory that is kept.
using PointBuffer = std::vector<Eigen::Vector3f>;

}  // namespace pointtree::perception

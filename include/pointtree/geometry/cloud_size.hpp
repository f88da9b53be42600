// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Name of the input channel that holds the size of the whole cloud in metres, the same at every
/// point: pre-alignment takes the size away, and a mug is not a water tower.
inline constexpr const char* kSizeChannel = "size";

/// Name of the input channel that holds each point's height above the ground or floor in metres:
/// a window begins above a parapet, a pole ends above a person.
inline constexpr const char* kHeightChannel = "height";

/// Natural logarithm of the mean distance of the points from their centroid; at least that of a
/// millimetre. O(n); there must be a point.
float cloud_size(const PointsView& points);

}  // namespace pointtree::geometry

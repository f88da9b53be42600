// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Name of the input channel that holds the size of the whole cloud in metres, the same at every
/// point: pre-alignment takes the size away, and a mug is not a water tower.
inline constexpr const char* kSizeChannel = "size";

/// Name of the input channel that holds each point's height above the ground or floor in metres:
/// a window begins above a parapet, a pole ends above a person.
inline constexpr const char* kHeightChannel = "height";

/// Names of the input channels that hold each point's colour, 0 to 1; 0 where it is not known.
inline constexpr std::array<const char*, 3> kColourChannels = {"red", "green", "blue"};

/// Natural logarithm of the mean distance of the points from their centroid; at least that of a
/// millimetre. O(n); there must be a point.
float cloud_size(const PointsView& points);

}  // namespace pointtree::geometry

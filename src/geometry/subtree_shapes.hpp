// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "geometry/detail/sibling_shapes.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How many numbers describe_subtrees() gives per subtree.
inline constexpr int kSubtreeChannels = detail::kChannelsBesideSibling;

/// Points of the smallest subtree that is described.
inline constexpr int kSmallestSubtree = detail::kSmallestSubtree;

/// The shape of every subtree of 8, 16, 32, … points below the root, and how it lies to its
/// sibling.
///
/// `leaves` holds 2^d points in leaf order. Per subtree: its three deviations along its principal
/// axes in decreasing order; the distance of its centroid from the cloud's, that offset's
/// |component| along each axis, the |components| of the normal (the axis of least deviation) and of
/// the longest axis, the centroid itself; then the distance to the sibling's centroid, the cosines
/// between that direction and its own axes and the sibling's normal, between both normals and both
/// longest axes, and the sibling's deviations. Axes point away from the cloud's centroid, so that
/// cosines tell ridges from grooves. Lengths within a subtree of n of N points are in units of
/// sqrt(n / N).
///
/// A subtree of n points has the row of its (n/2)-th leaf, which no other subtree has; the other
/// rows are 0. Row r of the result begins at rows + r · stride. O(n log n).
void describe_subtrees(const PointsView& leaves, float* rows, std::ptrdiff_t stride);

}  // namespace pointtree::geometry

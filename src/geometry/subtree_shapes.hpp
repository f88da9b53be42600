// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "geometry/detail/sibling_shapes.hpp"
#include "geometry/multi_scale_features.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How many numbers write_subtree_shapes() gives per subtree.
inline constexpr int kSubtreeChannels = detail::kChannelsBesideSibling;

/// Points of the smallest subtree that has a shape.
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
/// cosines separate ridges from grooves. Lengths within a subtree of n of N points are in units of
/// sqrt(n / N).
///
/// A subtree of n points has the row of its (n/2)-th leaf, which no other subtree has; the other
/// rows are 0. Row r of the result begins at rows + r · stride. Subtrees of n equal points, which
/// repeated leaves stand for, are told after all of these, for each n a row per leaf. O(n log n).
void write_subtree_shapes(const PointsView& leaves, float* rows, std::ptrdiff_t stride,
                          const RepeatedLeaves& repeated = {});

/// Scales at which the subtrees of repeated leaves have shapes.
constexpr int equal_scales(Eigen::Index times) {
  int scales = 0;
  for (Eigen::Index scale = kSmallestSubtree; scale <= times; scale *= 2) ++scales;
  return scales;
}

}  // namespace pointtree::geometry

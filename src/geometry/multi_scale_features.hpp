// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Leaves that stand for a subtree of equal points each.
struct RepeatedLeaves {
  Eigen::Index times = 1;  ///< points in it, a power of two
  /// From the rows of the leaves' subtrees of 8 equal points to those of 16, and so on.
  std::ptrdiff_t next_scale = 0;
};

/// How many numbers write_multi_scale_features() gives per point of a tree with this many leaves.
int multi_scale_channels(int leaves);

/// What single coordinates do not contain: at every second scale of its tree, the shape of the
/// subtree a point belongs to and the point's place in it.
///
/// `leaves` holds 2^d points in leaf order, so a subtree of 2^k points is 2^k adjacent rows. Per
/// scale of 8, 32, 128, … points and point: the subtree's three deviations along its principal axes
/// in decreasing order, the distance of its centroid from the cloud's and that distance's part
/// along the normal (the axis of least deviation), the point's |offset| from the subtree's centroid
/// along the three axes, and the |components| of the normal; before them, the point's own distance
/// from the cloud's centroid. Lengths within a subtree of n of N points are in units of sqrt(n /
/// N). All but the normal's components are invariant under rotations, and all under mirroring of
/// coordinate axes, so that uncertain axes and signs of a pose cannot spoil them.
///
/// Row r of the result begins at rows + r · stride. O(n log n).
void write_multi_scale_features(const PointsView& leaves, float* rows, std::ptrdiff_t stride,
                                const RepeatedLeaves& repeated = {});

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "geometry/detail/spin_image.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How many numbers write_spin_images() gives per point.
inline constexpr int kSpinImageChannels = detail::kSpinImages * detail::kSpinPixels;

/// The cloud as seen from every point: how many points lie at which height above the point's
/// tangent plane and at which distance from its normal (the spin images of Johnson and Hebert,
/// 1999).
///
/// `leaves` holds points in leaf order, `normals` their outward unit normals. Three images of 5
/// heights × 3 distances, with pixels of 0.15, 0.35 and 0.8 root mean square radii of the cloud,
/// which see single leaves, pairs and fours of adjacent ones, each in their middle. Heights reach
/// from three pixels below the point to one above, distances to two; a point between pixels belongs
/// to both in proportion. A channel is the square root of its pixel's share of the points in units
/// of the pixel's area. All are invariant under rotations.
///
/// Row r of the result begins at rows + r · stride. O(n²): groups of leaves beyond an image are
/// passed over.
void write_spin_images(const PointsView& leaves, const PointsView& normals, float* rows,
                       std::ptrdiff_t stride);

}  // namespace pointtree::geometry

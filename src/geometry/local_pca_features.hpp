// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "geometry/detail/neighbourhood.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How many numbers write_local_pca_features() gives per point.
inline constexpr int kLocalPcaChannels =
    detail::kNeighbourhoods * detail::kChannelsPerNeighbourhood;

/// The shape of the surface around every point, whatever subtrees its neighbours belong to.
///
/// `leaves` holds points in leaf order: neighbours are sought in groups of adjacent rows, which is
/// fast where those lie together. A neighbourhood reaches a quarter, then half of the cloud's root
/// mean square radius; a neighbour at a share s of that reach weighs (1 − s²)². Per reach and
/// point: the neighbourhood's three deviations along its principal axes in decreasing order, the
/// point's offset from its centroid along the three axes (absolute, but for the normal, the axis of
/// least deviation, which points away from the cloud's centroid: positive on ridges, negative in
/// grooves), the |components| of the normal, the point's distance from the cloud's centroid along
/// the normal, and the square root of the weights' sum. Lengths within a neighbourhood are in units
/// of its reach, weights in units of the number of points times the square of the reach in radii.
/// All but the normal's components are invariant under rotations.
///
/// Row r of the result begins at rows + r · stride. O(n²) at worst: groups of leaves
/// beyond the reach are passed over. Returns the outward unit normals of the smaller
/// neighbourhoods.
Points write_local_pca_features(const PointsView& leaves, float* rows, std::ptrdiff_t stride);

}  // namespace pointtree::geometry

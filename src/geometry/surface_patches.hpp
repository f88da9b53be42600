// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "geometry/detail/patch_fit.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How many numbers write_surface_patches() gives.
inline constexpr int kPatchChannels = detail::kPatchChannels;

/// The surface about one point of a cloud.
using SurfacePatch = detail::SurfacePatch;

/// The surface about every point, as its five nearest neighbours show it; copies of a point count
/// once. Clouds of fewer than six different points have none.
///
/// Fast where `leaves` are in leaf order: O(n log n) then, O(n²) at worst.
std::vector<SurfacePatch> surface_patches(const PointsView& leaves);

/// The patches of the cloud moved by `linear`; none where that leaves less than three dimensions.
std::vector<SurfacePatch> moved(std::vector<SurfacePatch> patches, const Eigen::Matrix3d& linear);

/// What can be inferred from a cloud's patches about the map that it went through.
///
/// A linear map crowds the points of a surface by a factor that depends on the surface's normal n
/// alone, √(nᵀ H n). Where points were drawn evenly, their density over the normal therefore tells
/// H, and with it the proportions that the cloud had. 18 numbers, three symmetric matrices as xx,
/// yy, zz, xy, yz, zx: log H without its trace, by least squares, drawn towards zero; the mean of
/// n nᵀ; and the mean of log density² n nᵀ, the mean density taken for 1. Without patches all are
/// zero.
void write_surface_patches(const std::vector<SurfacePatch>& patches, float* values);

}  // namespace pointtree::geometry

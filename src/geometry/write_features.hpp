// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/host_device.hpp"
#include "geometry/multi_scale_features.hpp"
#include "geometry/surface_patches.hpp"
#include "pointtree/geometry/input_features.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Writes multi-scale features, local PCA features, spin images, then subtrees, of points in leaf
/// order, which came to their pose by `linear` (that of a PreAlignment); row r begins at rows + r ·
/// stride. Repeated leaves need features that take_repeated_leaves().
void write_features(const PointsView& leaves, const Eigen::Matrix3d& linear,
                    const InputFeatures& features, float* rows, std::ptrdiff_t stride,
                    const RepeatedLeaves& repeated = {});

/// The same of leaves with noise, whose surface was seen before it was added.
void write_features(const PointsView& leaves, const Eigen::Matrix3d& linear,
                    const std::vector<SurfacePatch>& patches, const InputFeatures& features,
                    float* rows, std::ptrdiff_t stride, const RepeatedLeaves& repeated = {});

/// Whether neighbourhoods are those of the tree, so that a leaf can stand for several equal points.
inline bool take_repeated_leaves(const InputFeatures& features) {
  return !features.local_pca && !features.surface_patches;
}

/// The row that holds the proportions of a cloud with this many leaves; no subtree has it.
POINTTREE_HOST_DEVICE constexpr std::ptrdiff_t proportions_row(std::ptrdiff_t leaves) {
  return leaves / 2;
}

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/geometry/enum_names.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How a cloud is brought to a standard pose before its tree is built.
enum class PreAlignMode {
  none,       ///< scale to mean distance 1 about the centroid, keep everything else
  plain,      ///< whiten: affine-invariant up to an unknown rotation
  iterative,  ///< whiten, sort the axes, scale each axis to mean |value| 1
  canonical,  ///< whiten, turn to the independent axes, fix their order and signs
  upright,    ///< keep z and all proportions, turn the longest level direction to x
  metric,     ///< centre, keep everything else: metres, heading and up carry meaning
};
constexpr std::array<std::string_view, 6> names_of(PreAlignMode /*of*/) {
  return {"none", "plain", "iterative", "canonical", "upright", "metric"};
}
using pointtree::to_string;

/// How a cloud is pre-aligned; the defaults are those of `pre_align(points, mode)`.
struct PreAlignOptions {
  PreAlignMode mode = PreAlignMode::canonical;
  Eigen::Vector3d canonical_scale{
      1.2, 1.1, 1.0};  ///< unequal, so that the tree's root has one principal direction
};

/// A cloud in its standard pose and how it got there.
struct PreAlignment {
  Points points;
  Eigen::Matrix3d linear =
      Eigen::Matrix3d::Identity();  ///< points = input · linear + translation (row vectors)
  Eigen::RowVector3d translation = Eigen::RowVector3d::Zero();
  int rank = 3;       ///< dimensions the cloud really spans; missing ones are zero columns
  bool tied = false;  ///< two axes are indistinguishable, so the pose is not unique
};

/// Pre-aligns a cloud in O(n); all moments are accumulated in double about the centroid. An empty
/// cloud stays empty (rank 0); throws std::invalid_argument for non-finite points.
PreAlignment pre_align(const PointsView& points, PreAlignMode mode);

/// The same with all options.
PreAlignment pre_align(const PointsView& points, const PreAlignOptions& options);
PreAlignment pre_align(const PointsViewOf<double>& points, const PreAlignOptions& options);

}  // namespace pointtree::geometry

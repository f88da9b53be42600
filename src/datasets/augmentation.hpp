// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/observation.hpp"
#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::datasets {

/// What is done to a cloud besides pre-alignment and tree, in the order in which it happens.
struct AugmentationConfig {
  ObservationConfig observation;  ///< what the sensor leaves of the shape
  /// A smooth warp of the shape that no affine map undoes, as quadratic terms with normal
  /// coefficients of this standard deviation in the coordinates of its pose.
  double warp = 0.0;
  geometry::TransformationKind transformation = geometry::TransformationKind::none;
  geometry::TransformationForm form = geometry::TransformationForm::authors;
  /// After the tree: one of the 48 signed permutations of the axes; changes coordinates, never the
  /// tree.
  bool signed_permutation = false;
  /// After the tree, as if the pose had been estimated a little differently: a map I + G with
  /// normal entries of this standard deviation, ...
  double pose_linear = 0.0;
  double pose_shift = 0.0;   ///< ... a shift of this standard deviation, in mean radii, ...
  double pose_jitter = 0.0;  ///< ... and noise of this standard deviation on every coordinate.
  /// Then one leaf of every pair of siblings loses its point to the other's, with this
  /// probability; the tree stays.
  double leaf_dropout = 0.0;
};

/// Throws std::invalid_argument naming the first value that makes no sense.
void validate(const AugmentationConfig& config);

/// Adds to each coordinate a random quadratic form of all three; for clouds in a pose.
void warp(geometry::Points& points, double sigma, geometry::Random& random);

/// One draw of the augmentation of coordinates, in the order in which it happens.
struct AugmentationDraw {
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();     ///< a signed permutation, then
  Eigen::Matrix3f linear = Eigen::Matrix3f::Identity();   ///< the linear part and
  Eigen::RowVector3f shift = Eigen::RowVector3f::Zero();  ///< the shift of the augmented pose
  geometry::Points noise;                                 ///< on every point; empty: none
};

/// Draws for a cloud, of which only the number of points matters.
AugmentationDraw draw_augmentation(const geometry::Points& points, const AugmentationConfig& config,
                                   geometry::Random& random);

/// The augmentation of coordinates that leaves the tree alone; returns the linear part of the map
/// that they went through.
Eigen::Matrix3d augment_coordinates(geometry::Points& points, const AugmentationConfig& config,
                                    geometry::Random& random);

/// Loses the points of some leaves; `order` is the tree's leaf_order().
void drop_leaves(geometry::Points& points, const std::vector<std::int32_t>& order,
                 double probability, geometry::Random& random);

}  // namespace pointtree::datasets

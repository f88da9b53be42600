// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pointtree/geometry/enum_names.hpp"
#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::geometry {

/// A projective map of space acting on row vectors: [p 1] · matrix, divided by its last coordinate.
class Transformation {
 public:
  Transformation() = default;
  explicit Transformation(const Eigen::Matrix4d& matrix) : matrix_(matrix) {}

  /// p · linear + translation.
  static Transformation affine(const Eigen::Matrix3d& linear,
                               const Eigen::RowVector3d& translation = {0.0, 0.0, 0.0});

  const Eigen::Matrix4d& matrix() const { return matrix_; }

  /// Moves every point; computed in double, rounded once.
  Points apply(const PointsView& points) const;
  PointsOf<double> apply(const PointsViewOf<double>& points) const;

  /// This map first, then the next one.
  Transformation then(const Transformation& next) const {
    return Transformation(matrix_ * next.matrix_);
  }

 private:
  Eigen::Matrix4d matrix_ = Eigen::Matrix4d::Identity();
};

/// The distributions that transformations are drawn from.
enum class TransformationKind {
  none,               ///< the identity
  similarity,         ///< rotation or reflection, scale 1/2 … 2, shift of up to one mean radius
  affine,             ///< 3×3 entries uniform in ±1/√3
  affine_aggressive,  ///< affine maps chosen for a large expected angle difference
  projective,         ///< perspective images with random vanishing points
};
constexpr std::array<std::string_view, 5> names_of(TransformationKind /*of*/) {
  return {"none", "similarity", "affine", "affine_aggressive", "projective"};
}

/// Whose description of a distribution is followed where the two differ.
enum class TransformationForm {
  authors,  ///< the released code: aggressive = first beyond a falling threshold from π/4;
            ///< projective in three rounds
  paper,    ///< the text: aggressive = largest of 5,000 draws; projective in one round, from boxes
};
constexpr std::array<std::string_view, 2> names_of(TransformationForm /*of*/) {
  return {"authors", "paper"};
}
using pointtree::to_string;

/// Draws transformations for clouds; the drawn map depends on the cloud (its size, its place, its
/// angles).
class TransformationSampler {
 public:
  explicit TransformationSampler(TransformationKind kind,
                                 TransformationForm form = TransformationForm::authors)
      : kind_(kind), form_(form) {}

  TransformationKind kind() const { return kind_; }
  TransformationForm form() const { return form_; }

  /// Draws the next map for this cloud; throws std::invalid_argument for an empty or non-finite
  /// cloud.
  Transformation draw(const PointsView& points, Random& random) const;

 private:
  TransformationKind kind_;
  TransformationForm form_;
};

/// A uniformly random rotation of row vectors.
Eigen::Matrix3d random_rotation(Random& random);

/// The 48 maps that permute and flip the axes, the identity first: the symmetries of a cube, used
/// as augmentation.
const std::vector<Eigen::Matrix3f>& signed_permutations();

}  // namespace pointtree::geometry

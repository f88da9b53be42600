// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/projection.hpp"
#include "geometry/detail/symmetric_eigen.hpp"

namespace pointtree::geometry::detail {

/// Eigenvalues closer than this, relative to the largest, count as equal.
constexpr double kTieTolerance = 1e-6;

/// How many of the largest eigenvalues are equal: 1 where the principal direction is unique.
POINTTREE_HOST_DEVICE inline int tied_dimensions(const Eigen3& e) {
  const double limit = e.values[0] * (1.0 - kTieTolerance);
  if (!(e.values[0] > 0.0) || e.values[2] > limit) return 3;
  return e.values[1] > limit ? 2 : 1;
}

/// Projects a vector onto the span of the first `dimensions` eigenvectors and returns its length
/// there.
POINTTREE_HOST_DEVICE inline double project_onto_span(const Eigen3& e, int dimensions,
                                                      const double vector[3], double out[3]) {
  out[0] = out[1] = out[2] = 0.0;
  for (int k = 0; k < dimensions; ++k) {
    const double* v = e.vectors[k];
    const double along = v[0] * vector[0] + v[1] * vector[1] + v[2] * vector[2];
    for (int c = 0; c < 3; ++c) out[c] += along * v[c];
  }
  return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

/// A direction in the span of the tied eigenvectors that the points themselves determine: where the
/// skewness vector Σ‖q‖² q points (`skew_scale` is Σ‖q‖³), or, for a set without skewness, the
/// nearest coordinate axis.
POINTTREE_HOST_DEVICE inline void tied_direction(const Eigen3& e, int dimensions,
                                                 const double skew[3], double skew_scale,
                                                 double w[3]) {
  double length = project_onto_span(e, dimensions, skew, w);
  if (!(length > kTieTolerance * skew_scale)) {
    length = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double unit[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
      double candidate[3];
      const double candidate_length = project_onto_span(e, dimensions, unit, candidate);
      // A margin, so that rounding does not choose between axes that are equally near.
      if (candidate_length > length * (1.0 + kTieTolerance)) {
        length = candidate_length;
        for (int c = 0; c < 3; ++c) w[c] = candidate[c];
      }
    }
  }
  for (int c = 0; c < 3; ++c) w[c] /= length;
}

/// The direction of a set whose scatter matrix leaves it open; see tied_direction.
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void settled_direction(const Symmetric3& scatter,
                                                                     const double skew[3],
                                                                     double skew_scale,
                                                                     double w[3]) {
  const Eigen3 e = symmetric_eigen(scatter);
  const int tied = tied_dimensions(e);
  tied_direction(e, tied < 2 ? 2 : tied, skew, skew_scale, w);
  make_largest_component_positive(w);
}

/// wᵀ · scatter · w.
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE double scatter_along(const Symmetric3& scatter,
                                                                   const double w[3]) {
  return w[0] * (scatter.xx * w[0] + 2.0 * (scatter.xy * w[1] + scatter.xz * w[2])) +
         w[1] * (scatter.yy * w[1] + 2.0 * scatter.yz * w[2]) + w[2] * scatter.zz * w[2];
}

}  // namespace pointtree::geometry::detail

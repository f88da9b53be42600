// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/symmetric_eigen.hpp"

namespace pointtree::geometry::detail {

/// The map that gives a cloud with this covariance the same deviation along every axis, and a root
/// mean square radius of 1. Two clouds that are affine maps of each other differ after it by a
/// rotation or mirroring only.
struct Whitening {
  // Its inverse, a lower triangular matrix, row by row: √3 times the covariance's Cholesky factor.
  double xx = 1.0, yx = 0.0, yy = 1.0, zx = 0.0, zy = 0.0, zz = 1.0;

  /// Changes nothing.
  Whitening() = default;

  /// A direction without extent is left so.
  POINTTREE_HOST_DEVICE explicit Whitening(const Symmetric3& covariance) {
    const double least = 1e-12 * (covariance.xx + covariance.yy + covariance.zz);
    xx = deviation(3.0 * covariance.xx, least);
    yx = 3.0 * covariance.xy / xx;
    zx = 3.0 * covariance.xz / xx;
    yy = deviation(3.0 * covariance.yy - yx * yx, least);
    zy = (3.0 * covariance.yz - zx * yx) / yy;
    zz = deviation(3.0 * covariance.zz - zx * zx - zy * zy, least);
  }

  POINTTREE_HOST_DEVICE void apply(double p[3]) const {
    p[0] = p[0] / xx;
    p[1] = (p[1] - yx * p[0]) / yy;
    p[2] = (p[2] - zx * p[0] - zy * p[1]) / zz;
  }

 private:
  POINTTREE_HOST_DEVICE static double deviation(double variance, double least) {
    if (variance > least) return sqrt(variance);
    return least > 0.0 ? sqrt(least) : 1.0;
  }
};

}  // namespace pointtree::geometry::detail

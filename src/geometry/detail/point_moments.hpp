// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/detail/symmetric_square.hpp"

// What one point contributes to the moments of a cloud. Real is a number or several side by side.
namespace pointtree::geometry::detail {

/// Adds p pᵀ: a covariance.
template <typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void add_products(const Real& x, const Real& y,
                                                                const Real& z,
                                                                SymmetricOf<Real>& sums) {
  sums.xx += x * x;
  sums.xy += x * y;
  sums.xz += x * z;
  sums.yy += y * y;
  sums.yz += y * z;
  sums.zz += z * z;
}

/// p · linear + shift for a row vector; linear is row-major.
template <typename Real>
struct AffineMap {
  Real linear[3][3];
  Real shift[3];

  POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void apply(Real& x, Real& y, Real& z) const {
    const Real px = x;
    const Real py = y;
    const Real pz = z;
    x = ((px * linear[0][0] + py * linear[1][0]) + pz * linear[2][0]) + shift[0];
    y = ((px * linear[0][1] + py * linear[1][1]) + pz * linear[2][1]) + shift[1];
    z = ((px * linear[0][2] + py * linear[1][2]) + pz * linear[2][2]) + shift[2];
  }
};

}  // namespace pointtree::geometry::detail

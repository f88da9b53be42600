// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/detail/symmetric_square.hpp"

namespace pointtree::geometry::detail {

/// The 15 different sums Σ x^a y^b z^c with a + b + c = 4; the products of pairs (xx, xy, …) come
/// first in the name. Real is a number or several side by side.
template <typename Real>
struct FourthMomentsOf {
  Real xx_xx, xx_xy, xx_xz, xx_yy, xx_yz, xx_zz;
  Real xy_yy, xy_yz, xz_yz, xz_zz;
  Real yy_yy, yy_yz, yy_zz, yz_zz, zz_zz;
};

/// Adds one point.
template <typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void add_fourth(const Real& x, const Real& y,
                                                              const Real& z,
                                                              FourthMomentsOf<Real>& sums) {
  const Real xx = x * x;
  const Real xy = x * y;
  const Real xz = x * z;
  const Real yy = y * y;
  const Real yz = y * z;
  const Real zz = z * z;
  sums.xx_xx += xx * xx;
  sums.xx_xy += xx * xy;
  sums.xx_xz += xx * xz;
  sums.xx_yy += xx * yy;
  sums.xx_yz += xx * yz;
  sums.xx_zz += xx * zz;
  sums.xy_yy += xy * yy;
  sums.xy_yz += xy * yz;
  sums.xz_yz += xz * yz;
  sums.xz_zz += xz * zz;
  sums.yy_yy += yy * yy;
  sums.yy_yz += yy * yz;
  sums.yy_zz += yy * zz;
  sums.yz_zz += yz * zz;
  sums.zz_zz += zz * zz;
}

/// mean(p_k p_l p pᵀ) over `count` points for the six pairs (k, l) in the order xx, yy, zz, xy, xz,
/// yz.
POINTTREE_HOST_DEVICE inline void moment_matrices(const FourthMomentsOf<double>& m, double count,
                                                  double out[6][3][3]) {
  const double upper[6][6] = {// xx, xy, xz, yy, yz, zz of each matrix
                              {m.xx_xx, m.xx_xy, m.xx_xz, m.xx_yy, m.xx_yz, m.xx_zz},
                              {m.xx_yy, m.xy_yy, m.xy_yz, m.yy_yy, m.yy_yz, m.yy_zz},
                              {m.xx_zz, m.xz_yz, m.xz_zz, m.yy_zz, m.yz_zz, m.zz_zz},
                              {m.xx_xy, m.xx_yy, m.xx_yz, m.xy_yy, m.xy_yz, m.xz_yz},
                              {m.xx_xz, m.xx_yz, m.xx_zz, m.xy_yz, m.xz_yz, m.xz_zz},
                              {m.xx_yz, m.xy_yz, m.xz_yz, m.yy_yz, m.yy_zz, m.yz_zz}};
  constexpr int kRow[6] = {0, 0, 0, 1, 1, 2};
  constexpr int kColumn[6] = {0, 1, 2, 1, 2, 2};
  for (int pair = 0; pair < 6; ++pair) {
    for (int k = 0; k < 6; ++k) {
      const double value = upper[pair][k] / count;
      out[pair][kRow[k]][kColumn[k]] = value;
      out[pair][kColumn[k]][kRow[k]] = value;
    }
  }
}

}  // namespace pointtree::geometry::detail

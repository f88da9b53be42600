// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/host_device.hpp"

namespace pointtree::geometry::detail {

/// A symmetric 3×3 matrix by its upper triangle; Real is a number or several numbers side by side.
template <typename Real>
struct SymmetricOf {
  Real xx, xy, xz, yy, yz, zz;
};

/// Squares a matrix: its eigenvectors stay, its eigenvalues are squared, so the largest soon stands
/// alone. The error this makes in the first eigenvector is that of the first square, rounding /
/// gap; later squares have larger gaps.
template <typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void square(SymmetricOf<Real>& m) {
  const Real xy_square = m.xy * m.xy;
  const Real xz_square = m.xz * m.xz;
  const Real yz_square = m.yz * m.yz;
  const Real xy = m.xy * (m.xx + m.yy) + m.xz * m.yz;
  const Real xz = m.xz * (m.xx + m.zz) + m.xy * m.yz;
  const Real yz = m.yz * (m.yy + m.zz) + m.xy * m.xz;
  m.xx = m.xx * m.xx + (xy_square + xz_square);
  m.yy = m.yy * m.yy + (xy_square + yz_square);
  m.zz = m.zz * m.zz + (xz_square + yz_square);
  m.xy = xy;
  m.xz = xz;
  m.yz = yz;
}

template <typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE Real trace(const SymmetricOf<Real>& m) {
  return (m.xx + m.yy) + m.zz;
}

template <typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void scale(SymmetricOf<Real>& m, const Real& factor) {
  m.xx = m.xx * factor;
  m.xy = m.xy * factor;
  m.xz = m.xz * factor;
  m.yy = m.yy * factor;
  m.yz = m.yz * factor;
  m.zz = m.zz * factor;
}

/// Two squarings and a normalisation; returns where the trace shows that other eigenvectors than
/// the first still take part: where it falls by more than a factor of `kept`. Mask is what
/// comparing Real gives.
template <typename Mask, typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE Mask sharpen(SymmetricOf<Real>& m, const Real& one,
                                                           const Real& kept) {
  square(m);
  const Real once = trace(m);
  square(m);
  const Real twice = trace(m);
  scale(m, one / twice);
  return twice < (once * once) * kept;
}

/// The column of the largest diagonal entry of a matrix v vᵀ: it is the longest, and that entry is
/// its largest component.
template <typename Mask, typename Real>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void leading_column(const SymmetricOf<Real>& m,
                                                                  Real& x, Real& y, Real& z) {
  const Mask x_leads = (m.xx >= m.yy) & (m.xx >= m.zz);
  const Mask y_leads = m.yy >= m.zz;
  x = x_leads ? m.xx : (y_leads ? m.xy : m.xz);
  y = x_leads ? m.xy : (y_leads ? m.yy : m.yz);
  z = x_leads ? m.xz : (y_leads ? m.yz : m.zz);
}

}  // namespace pointtree::geometry::detail

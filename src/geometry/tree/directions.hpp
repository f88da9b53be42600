// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include "geometry/detail/principal_direction.hpp"
#include "geometry/detail/symmetric_square.hpp"
#include "tree/build_order.hpp"
#include "tree/moments.hpp"

namespace pointtree::geometry::tree {
namespace {

/// Covariances of a group of nodes, one array per matrix entry.
struct alignas(32) GroupCovariances {
  double xx[kGroup], xy[kGroup], xz[kGroup], yy[kGroup], yz[kGroup], zz[kGroup];

  POINTTREE_ALWAYS_INLINE detail::SymmetricOf<SimdVector> lanes(std::size_t first) const {
    return {load(xx + first), load(xy + first), load(xz + first),
            load(yy + first), load(yz + first), load(zz + first)};
  }

  detail::Symmetric3 at(std::size_t k) const { return {xx[k], xy[k], xz[k], yy[k], yz[k], zz[k]}; }
};

/// Unit principal directions of a group of nodes, largest component positive; `open` marks those
/// not found.
struct alignas(32) GroupDirections {
  double x[kGroup], y[kGroup], z[kGroup];
  long long open[kGroup];
};

/// Sharpens four matrices; returns the lanes in which other eigenvectors still show.
POINTTREE_ALWAYS_INLINE Mask sharpen(detail::SymmetricOf<SimdVector>& m) {
  return detail::sharpen<Mask, SimdVector>(m, all(1.0), all(1.0 - kResidual));
}

POINTTREE_ALWAYS_INLINE void take_direction(const detail::SymmetricOf<SimdVector>& m,
                                            std::size_t first, GroupDirections& out) {
  SimdVector x, y, z;
  detail::leading_column<Mask, SimdVector>(m, x, y, z);
  const SimdVector factor = all(1.0) / square_root((x * x + y * y) + z * z);
  store(out.x + first, x * factor);
  store(out.y + first, y * factor);
  store(out.z + first, z * factor);
}

/// Principal directions by repeated squaring: 6 to 10 squarings are usual, at most kMaxSquarings
/// are made.
POINTTREE_ALWAYS_INLINE void principal_directions(const GroupCovariances& covariances,
                                                  GroupDirections& out) {
  detail::SymmetricOf<SimdVector> a = covariances.lanes(0);
  detail::SymmetricOf<SimdVector> b = covariances.lanes(4);
  detail::scale(a, all(1.0) / detail::trace(a));
  detail::scale(b, all(1.0) / detail::trace(b));
  Mask a_open{-1, -1, -1, -1};
  Mask b_open{-1, -1, -1, -1};
  for (int squarings = 0; squarings < kMaxSquarings && any(a_open | b_open); squarings += 2) {
    a_open = sharpen(a);
    b_open = sharpen(b);
  }
  take_direction(a, 0, out);
  take_direction(b, 4, out);
  for (int k = 0; k < 4; ++k) {
    out.open[k] = a_open[k];
    out.open[k + 4] = b_open[k];
  }
}

}  // namespace
}  // namespace pointtree::geometry::tree

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "simd_vector.hpp"
#include "tree/entry.hpp"

namespace pointtree::geometry::tree {
namespace {

using namespace simd;

/// Second moments of a node about its mean, and the mean.
struct Moments {
  SimdVector squares;   ///< Σxx, Σyy, Σzz
  SimdVector products;  ///< Σxy, Σyz, Σzx
  SimdVector mean;      ///< x, y, z
};

/// Sums over a node, two accumulators wide so that additions do not wait for each other.
struct MomentSums {
  SimdVector first, squares, products;

  POINTTREE_ALWAYS_INLINE void add(SimdVector d) {
    first += d;
    squares += d * d;
    products += d * POINTTREE_SHUFFLE(d, d, 1, 2, 0, 3);
  }
};

POINTTREE_ALWAYS_INLINE SimdVector mean_of(const Entry* points, std::size_t n) {
  SimdVector even = load(&points[0].x);
  SimdVector odd = load(&points[1].x);
  for (std::size_t i = 2; i < n; i += 2) {
    even += load(&points[i].x);
    odd += load(&points[i + 1].x);
  }
  return (even + odd) * all(1.0 / static_cast<double>(n));
}

/// Corrected two-pass moments of n = 2^k >= 2 points: accurate to rounding however far the node is
/// from the origin.
POINTTREE_ALWAYS_INLINE Moments node_moments(const Entry* points, std::size_t n) {
  const SimdVector mean = mean_of(points, n);
  const SimdVector zero = all(0.0);
  MomentSums even{zero, zero, zero};
  MomentSums odd{zero, zero, zero};
  for (std::size_t i = 0; i < n; i += 2) {
    even.add(load(&points[i].x) - mean);
    odd.add(load(&points[i + 1].x) - mean);
  }
  const SimdVector rest = (even.first + odd.first) * all(1.0 / static_cast<double>(n));
  const SimdVector count = all(static_cast<double>(n));
  const SimdVector turned = POINTTREE_SHUFFLE(rest, rest, 1, 2, 0, 3);
  return {(even.squares + odd.squares) - count * rest * rest,
          (even.products + odd.products) - count * rest * turned, mean};
}

}  // namespace
}  // namespace pointtree::geometry::tree

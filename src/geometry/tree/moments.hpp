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
  SimdSum first{all(0.0)}, squares{all(0.0)}, products{all(0.0)};

  POINTTREE_ALWAYS_INLINE void add(SimdVector d) {
    first += d;
    squares += d * d;
    products += d * POINTTREE_SHUFFLE(d, d, 1, 2, 0, 3);
  }
};

/// Corrected two-pass moments of Count nodes of n = 2^k >= 2 points that lie one after the other:
/// accurate to rounding however far a node is from the origin. Every sum is one chain of additions,
/// so two nodes at once take little longer than one.
template <std::size_t Count>
POINTTREE_ALWAYS_INLINE void node_moments(const Entry* points, std::size_t n, Moments* moments) {
  const SimdVector share = all(1.0 / static_cast<double>(n));
  SimdSum even_sum[Count], odd_sum[Count];
  for (std::size_t k = 0; k < Count; ++k) {
    even_sum[k] = SimdSum(load(&points[k * n].x));
    odd_sum[k] = SimdSum(load(&points[k * n + 1].x));
  }
  for (std::size_t i = 2; i < n; i += 2) {
    for (std::size_t k = 0; k < Count; ++k) {
      even_sum[k] += load(&points[k * n + i].x);
      odd_sum[k] += load(&points[k * n + i + 1].x);
    }
  }
  SimdVector mean[Count];
  MomentSums even[Count], odd[Count];
  for (std::size_t k = 0; k < Count; ++k) {
    mean[k] = (even_sum[k].value() + odd_sum[k].value()) * share;
  }
  for (std::size_t i = 0; i < n; i += 2) {
    for (std::size_t k = 0; k < Count; ++k) {
      even[k].add(load(&points[k * n + i].x) - mean[k]);
      odd[k].add(load(&points[k * n + i + 1].x) - mean[k]);
    }
  }
  const SimdVector count = all(static_cast<double>(n));
  for (std::size_t k = 0; k < Count; ++k) {
    const SimdVector rest = (even[k].first.value() + odd[k].first.value()) * share;
    const SimdVector turned = POINTTREE_SHUFFLE(rest, rest, 1, 2, 0, 3);
    moments[k] = {(even[k].squares.value() + odd[k].squares.value()) - count * rest * rest,
                  (even[k].products.value() + odd[k].products.value()) - count * rest * turned,
                  mean[k]};
  }
}

}  // namespace
}  // namespace pointtree::geometry::tree

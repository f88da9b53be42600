#pragma once

#include <cstddef>

#include "lanes.hpp"
#include "tree/entry.hpp"

namespace pointtree::geometry::tree {
namespace {

using namespace lanes;

/// Second moments of a node about its mean, and the mean.
struct Moments {
  Lanes squares;   ///< Σxx, Σyy, Σzz
  Lanes products;  ///< Σxy, Σyz, Σzx
  Lanes mean;      ///< x, y, z
};

/// Sums over a node, two accumulators wide so that additions do not wait for each other.
struct MomentSums {
  Lanes first, squares, products;

  POINTTREE_ALWAYS_INLINE void add(Lanes d) {
    first += d;
    squares += d * d;
    products += d * POINTTREE_SHUFFLE(d, d, 1, 2, 0, 3);
  }
};

POINTTREE_ALWAYS_INLINE Lanes mean_of(const Entry* points, std::size_t n) {
  Lanes even = load(&points[0].x);
  Lanes odd = load(&points[1].x);
  for (std::size_t i = 2; i < n; i += 2) {
    even += load(&points[i].x);
    odd += load(&points[i + 1].x);
  }
  return (even + odd) * all(1.0 / static_cast<double>(n));
}

/// Corrected two-pass moments of n = 2^k >= 2 points: accurate to rounding however far the node is
/// from the origin.
POINTTREE_ALWAYS_INLINE Moments node_moments(const Entry* points, std::size_t n) {
  const Lanes mean = mean_of(points, n);
  const Lanes zero = all(0.0);
  MomentSums even{zero, zero, zero};
  MomentSums odd{zero, zero, zero};
  for (std::size_t i = 0; i < n; i += 2) {
    even.add(load(&points[i].x) - mean);
    odd.add(load(&points[i + 1].x) - mean);
  }
  const Lanes rest = (even.first + odd.first) * all(1.0 / static_cast<double>(n));
  const Lanes count = all(static_cast<double>(n));
  const Lanes turned = POINTTREE_SHUFFLE(rest, rest, 1, 2, 0, 3);
  return {(even.squares + odd.squares) - count * rest * rest,
          (even.products + odd.products) - count * rest * turned, mean};
}

}  // namespace
}  // namespace pointtree::geometry::tree

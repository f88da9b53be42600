// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "geometry/detail/projection.hpp"
#include "simd_vector.hpp"
#include "tree/build_order.hpp"
#include "tree/entry.hpp"

namespace pointtree::geometry::tree {
namespace {

using namespace simd;

/// A unit normal and what is known of the projections on it.
struct Normal {
  double w[3];
  double mean;       ///< of the projections
  double deviation;  ///< of the projections; the median is within one of it from the mean
};

/// Projections of four points, in the very order of operations of detail::project.
POINTTREE_ALWAYS_INLINE SimdVector project_four(const Entry* points, SimdVector wx, SimdVector wy,
                                                SimdVector wz) {
  SimdVector x = load(&points[0].x);
  SimdVector y = load(&points[1].x);
  SimdVector z = load(&points[2].x);
  SimdVector index = load(&points[3].x);
  transpose(x, y, z, index);
  return (wx * x + wy * y) + wz * z;
}

/// A projection and the place of its point within the node.
struct Ranked {
  double key;
  double index;
  std::uint32_t place;

  bool operator<(const Ranked& other) const {
    return detail::comes_before(key, index, other.key, other.index);
  }
};

/// Sorts a small node by (projection, index) where projections coincide.
template <std::size_t N>
double split_with_ties(const Entry* from, Entry* to, const double* keys) {
  Ranked order[N];
  for (std::size_t i = 0; i < N; ++i) {
    order[i] = {keys[i], from[i].index, static_cast<std::uint32_t>(i)};
  }
  std::sort(order, order + N);
  for (std::size_t i = 0; i < N; ++i) to[i] = from[order[i].place];
  return detail::plane_offset(order[N / 2 - 1].key, order[N / 2].key);
}

/// Splits a small node by counting, for every point, the points before it: N² comparisons without a
/// branch.
template <std::size_t N>
POINTTREE_ALWAYS_INLINE double split_by_ranks(const Entry* from, Entry* to, const double* w) {
  alignas(32) double keys[N];
  const SimdVector wx = all(w[0]);
  const SimdVector wy = all(w[1]);
  const SimdVector wz = all(w[2]);
  for (std::size_t i = 0; i < N; i += 4) store(keys + i, project_four(from + i, wx, wy, wz));
  RegisterMask ranks[N / kRegisterWidth];
  RegisterMask total{};
  for (std::size_t g = 0; g < N / kRegisterWidth; ++g) {
    const SimdRegister mine = load_register(keys + kRegisterWidth * g);
    RegisterMask rank{};
    for (std::size_t j = 0; j < N; ++j) rank -= broadcast(keys[j]) < mine;
    ranks[g] = rank;
    total += rank;
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < kRegisterWidth; ++i) pairs += static_cast<std::size_t>(total[i]);
  if (__builtin_expect(static_cast<long>(pairs != N * (N - 1) / 2), 0) != 0) {
    return split_with_ties<N>(from, to, keys);  // some pair is in neither order
  }
  double sorted[N];
  for (std::size_t i = 0; i < N; ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i / kRegisterWidth][i % kRegisterWidth]);
    store(&to[rank].x, load(&from[i].x));
    sorted[rank] = keys[i];
  }
  return detail::plane_offset(sorted[N / 2 - 1], sorted[N / 2]);
}

}  // namespace
}  // namespace pointtree::geometry::tree

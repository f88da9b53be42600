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
  Mask ranks[N / 4];
  Mask total{0, 0, 0, 0};
  for (std::size_t g = 0; g < N / 4; ++g) {
    const SimdVector mine = load(keys + 4 * g);
    Mask rank{0, 0, 0, 0};
    for (std::size_t j = 0; j < N; ++j) rank -= all(keys[j]) < mine;
    ranks[g] = rank;
    total += rank;
  }
  const auto pairs = static_cast<std::size_t>(total[0] + total[1] + total[2] + total[3]);
  if (__builtin_expect(static_cast<long>(pairs != N * (N - 1) / 2), 0) != 0) {
    return split_with_ties<N>(from, to, keys);  // some pair is in neither order
  }
  double sorted[N];
  for (std::size_t i = 0; i < N; ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i / 4][i % 4]);
    store(&to[rank].x, load(&from[i].x));
    sorted[rank] = keys[i];
  }
  return detail::plane_offset(sorted[N / 2 - 1], sorted[N / 2]);
}

/// The buckets that hold the two points on either side of the split, and how many points lie before
/// and after them.
struct MiddleBuckets {
  std::int32_t low, high;
  std::size_t before, after;
};

POINTTREE_ALWAYS_INLINE MiddleBuckets find_middle(const std::uint32_t* histogram, std::size_t n) {
  const std::size_t half = n / 2;
  std::size_t before = 0;
  std::size_t low = 0;
  while (before + histogram[low] < half) before += histogram[low++];
  std::size_t high = low;
  std::size_t upto = before + histogram[low];
  while (upto < half + 1) upto += histogram[++high];
  return {static_cast<std::int32_t>(low), static_cast<std::int32_t>(high), before, n - upto};
}

/// Projects the points and counts them in equal buckets from one deviation below the mean to one
/// above, where the median must be; the outermost buckets take everything beyond.
POINTTREE_ALWAYS_INLINE void count_into_buckets(const Entry* points, std::size_t n,
                                                const Normal& normal, std::size_t buckets,
                                                std::int32_t* bucket_of, std::uint32_t* histogram) {
  const SimdVector wx = all(normal.w[0]);
  const SimdVector wy = all(normal.w[1]);
  const SimdVector wz = all(normal.w[2]);
  const double half = static_cast<double>(buckets) / 2;
  const SimdVector scale = all(normal.deviation > 0.0 ? (half - 1) / normal.deviation : 0.0);
  const SimdVector mean = all(normal.mean);
  const SimdVector middle = all(half);
  const SimdVector last = all(static_cast<double>(buckets) - 1);
  const SimdVector zero = all(0.0);
  std::fill(histogram, histogram + buckets, 0U);
  for (std::size_t i = 0; i < n; i += 4) {
    SimdVector bucket = (project_four(points + i, wx, wy, wz) - mean) * scale + middle;
    bucket = bucket > zero ? bucket : zero;
    bucket = bucket < last ? bucket : last;
    const SimdVector32 whole = __builtin_convertvector(bucket, SimdVector32);
    *reinterpret_cast<SimdVector32InMemory*>(bucket_of + i) = whole;
    for (int k = 0; k < 4; ++k) ++histogram[whole[k]];
  }
}

/// Moves the points to three places by their buckets: before, in and after the middle. No branch to
/// mispredict.
POINTTREE_ALWAYS_INLINE void move_by_bucket(const Entry* from, Entry* to, std::size_t n,
                                            const std::int32_t* bucket_of,
                                            const MiddleBuckets& middle) {
  std::size_t left = 0;
  std::size_t centre = middle.before;
  std::size_t right = n - middle.after;
  for (std::size_t i = 0; i < n; ++i) {
    const auto is_left = static_cast<std::size_t>(bucket_of[i] < middle.low);
    const auto is_right = static_cast<std::size_t>(bucket_of[i] > middle.high);
    const std::size_t is_centre = 1 - is_left - is_right;
    const std::size_t place =
        (left & (0 - is_left)) | (centre & (0 - is_centre)) | (right & (0 - is_right));
    store(&to[place].x, load(&from[i].x));
    left += is_left;
    centre += is_centre;
    right += is_right;
  }
}

POINTTREE_ALWAYS_INLINE Ranked ranked(const Entry& point, const double* w) {
  return {detail::project(w, point.x, point.y, point.z), point.index, 0};
}

/// Orders the points of the middle buckets about the median: the first `wanted` of the order to the
/// front. Returns the plane's offset. `order` has room for `count`.
inline double order_middle(Entry* points, std::size_t count, std::size_t wanted, const double* w,
                           Ranked* order) {
  for (std::size_t i = 0; i < count; ++i) order[i] = ranked(points[i], w);
  std::nth_element(order, order + wanted, order + count);
  const Ranked pivot = order[wanted];
  std::size_t front = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (ranked(points[i], w) < pivot) std::swap(points[front++], points[i]);
  }
  return detail::plane_offset(std::max_element(order, order + wanted)->key, pivot.key);
}

/// Splits a large node: a histogram finds the few points that can be the median, and only these are
/// ordered. O(n). The points in `from` are lost.
inline double split_by_histogram(Entry* from, Entry* to, std::size_t n, const Normal& normal,
                                 std::int32_t* bucket_of) {
  std::uint32_t histogram[kMaxBuckets];
  count_into_buckets(from, n, normal, std::min(n, kMaxBuckets), bucket_of, histogram);
  const MiddleBuckets middle = find_middle(histogram, n);
  move_by_bucket(from, to, n, bucket_of, middle);
  // The points have left `from`: there is room for the projections to be ordered.
  static_assert(sizeof(Ranked) <= sizeof(Entry) && alignof(Ranked) <= alignof(Entry));
  return order_middle(to + middle.before, n - middle.before - middle.after, n / 2 - middle.before,
                      normal.w, reinterpret_cast<Ranked*>(from));
}

}  // namespace
}  // namespace pointtree::geometry::tree

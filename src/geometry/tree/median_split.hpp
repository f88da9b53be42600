// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tree/bytes.hpp"
#include "tree/split.hpp"

// Nodes of more points than are worth ranking one by one: each projection gets a bucket, a byte,
// and only the points of the bucket that holds the median are ordered.
namespace pointtree::geometry::tree {
namespace {

/// The buckets that hold the two points on either side of the split, and how many points lie before
/// and after them.
struct MiddleBuckets {
  std::int8_t low, high;
  std::size_t before, after;
};

/// Buckets count from here, so that all of them fit a signed byte, the one that AVX2 compares.
constexpr int kFirstBucket = -128;

/// The last bucket before which fewer than half of the points lie, bit by bit, and the one of the
/// next point.
POINTTREE_ALWAYS_INLINE MiddleBuckets find_middle(const std::int8_t* bucket_of, std::size_t n,
                                                  std::size_t buckets) {
  const std::size_t half = n / 2;
  std::size_t before = 0;
  int low = kFirstBucket;
  for (auto step = static_cast<int>(buckets / 2); step > 0; step /= 2) {
    const std::size_t below = count_below(bucket_of, n, static_cast<std::int8_t>(low + step));
    const bool further = below < half;
    low = further ? low + step : low;
    before = further ? below : before;
  }
  const auto first = static_cast<std::int8_t>(low);
  const std::size_t after = count_above(bucket_of, n, first);
  if (after < half) return {first, first, before, after};
  const std::int8_t next = least_above(bucket_of, n, first);
  return {first, next, before, count_above(bucket_of, n, next)};
}

/// Projects the points and gives them to equal buckets from one deviation below the mean to one
/// above, where the median must be; the outermost buckets take everything beyond.
POINTTREE_ALWAYS_INLINE void find_buckets(const Entry* points, std::size_t n, const Normal& normal,
                                          std::size_t buckets, std::int8_t* bucket_of) {
  const SimdVector wx = all(normal.w[0]);
  const SimdVector wy = all(normal.w[1]);
  const SimdVector wz = all(normal.w[2]);
  const double half = static_cast<double>(buckets) / 2;
  const SimdVector scale = all(normal.deviation > 0.0 ? (half - 1) / normal.deviation : 0.0);
  const SimdVector mean = all(normal.mean);
  const SimdVector middle = all(half);
  const SimdVector last = all(static_cast<double>(buckets) - 1);
  const SimdVector zero = all(0.0);
  for (std::size_t i = 0; i < n; i += 16) {
    SimdVector32 whole[4];
    for (std::size_t k = 0; k < 4; ++k) {
      SimdVector bucket = (project_four(points + i + 4 * k, wx, wy, wz) - mean) * scale + middle;
      bucket = bucket > zero ? bucket : zero;
      bucket = bucket < last ? bucket : last;
      whole[k] = __builtin_convertvector(bucket, SimdVector32) + kFirstBucket;
    }
    store_bytes(bucket_of + i, whole);
  }
}

/// Appends the points that have a bit.
POINTTREE_ALWAYS_INLINE Entry* append(const Entry* points, std::uint32_t bits, Entry* to) {
  for (; bits != 0; bits &= bits - 1) {
    store(&to->x, load(&points[__builtin_ctz(bits)].x));
    ++to;
  }
  return to;
}

/// Moves the points to three places by their buckets: before, in and after the middle.
POINTTREE_ALWAYS_INLINE void move_by_bucket(const Entry* from, Entry* to, std::size_t n,
                                            const std::int8_t* bucket_of,
                                            const MiddleBuckets& middle) {
  constexpr auto kAllBits = static_cast<std::uint32_t>((std::uint64_t{1} << kBytes) - 1);
  const SimdBytes low = all_bytes(middle.low);
  const SimdBytes high = all_bytes(middle.high);
  Entry* left = to;
  Entry* centre = to + middle.before;
  Entry* right = to + (n - middle.after);
  for (std::size_t i = 0; i < n; i += kBytes) {
    const SimdBytes buckets = load_bytes(bucket_of + i);
    const std::uint32_t is_left = bits_of(buckets < low);
    const std::uint32_t is_right = bits_of(buckets > high);
    left = append(from + i, is_left, left);
    right = append(from + i, is_right, right);
    centre = append(from + i, kAllBits & ~(is_left | is_right), centre);
  }
}

POINTTREE_ALWAYS_INLINE Ranked ranked(const Entry& point, const double* w) {
  return {detail::project(w, point.x, point.y, point.z), point.index, 0};
}

/// Orders the points of the middle buckets about the median: the first `wanted` of the order to the
/// front. Returns the plane's offset. `order` has room for `count`.
inline double order_middle(Entry* points, std::size_t count, std::size_t wanted, const double* w,
                           Ranked* order) {
  if (count == 2) {  // as a rule
    const Ranked first = ranked(points[0], w);
    const Ranked second = ranked(points[1], w);
    if (first < second) return detail::plane_offset(first.key, second.key);
    std::swap(points[0], points[1]);
    return detail::plane_offset(second.key, first.key);
  }
  for (std::size_t i = 0; i < count; ++i) order[i] = ranked(points[i], w);
  std::nth_element(order, order + wanted, order + count);
  const Ranked pivot = order[wanted];
  std::size_t front = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (ranked(points[i], w) < pivot) std::swap(points[front++], points[i]);
  }
  return detail::plane_offset(std::max_element(order, order + wanted)->key, pivot.key);
}

/// Splits a large node: its buckets find the few points that can be the median, and only these are
/// ordered. O(n). The points in `from` are lost.
POINTTREE_ALWAYS_INLINE double split_by_median(Entry* from, Entry* to, std::size_t n,
                                               const Normal& normal, std::int8_t* bucket_of) {
  const std::size_t buckets = std::min(n, kMaxBuckets);
  find_buckets(from, n, normal, buckets, bucket_of);
  const MiddleBuckets middle = find_middle(bucket_of, n, buckets);
  move_by_bucket(from, to, n, bucket_of, middle);
  // The points have left `from`: there is room for the projections to be ordered.
  static_assert(sizeof(Ranked) <= sizeof(Entry) && alignof(Ranked) <= alignof(Entry));
  return order_middle(to + middle.before, n - middle.before - middle.after, n / 2 - middle.before,
                      normal.w, reinterpret_cast<Ranked*>(from));
}

}  // namespace
}  // namespace pointtree::geometry::tree

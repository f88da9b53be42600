#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pointtree/geometry/detail/projection.hpp"
#include "tree/entry.hpp"
#include "tree/lanes.hpp"

namespace pointtree::geometry::tree {
namespace {

/// A unit normal and what is known of the projections on it.
struct Normal {
  double w[3];
  double mean;       ///< of the projections
  double deviation;  ///< of the projections; the median is within one of it from the mean
};

/// Projections of four points, in the very order of operations of detail::project.
POINTTREE_ALWAYS_INLINE Lanes project_four(const Entry* points, Lanes wx, Lanes wy, Lanes wz) {
  Lanes x = load(&points[0].x);
  Lanes y = load(&points[1].x);
  Lanes z = load(&points[2].x);
  Lanes index = load(&points[3].x);
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
  const Lanes wx = all(w[0]);
  const Lanes wy = all(w[1]);
  const Lanes wz = all(w[2]);
  for (std::size_t i = 0; i < N; i += 4) store(keys + i, project_four(from + i, wx, wy, wz));
  Mask ranks[N / 4];
  Mask total{0, 0, 0, 0};
  for (std::size_t g = 0; g < N / 4; ++g) {
    const Lanes mine = load(keys + 4 * g);
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

constexpr std::size_t kBuckets = 256;

/// The two order statistics on either side of the split.
struct Middle {
  double greatest_left;
  Ranked least_right;
};

/// Finds the points in the middle of the order among the buckets that hold them; n >= 4.
inline Middle find_middle(const Entry* from, std::size_t n, const double* keys,
                          const std::uint8_t* buckets, const std::uint32_t* histogram,
                          Ranked* candidates) {
  const std::size_t half = n / 2;
  std::size_t below = 0;  // points in buckets before `low`
  std::size_t low = 0;
  while (below + histogram[low] < half) below += histogram[low++];
  std::size_t high = low;
  for (std::size_t upto = below + histogram[low]; upto < half + 1; upto += histogram[high]) ++high;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    candidates[count].place = static_cast<std::uint32_t>(i);
    count += static_cast<std::size_t>(buckets[i] >= low && buckets[i] <= high);
  }
  for (std::size_t c = 0; c < count; ++c) {
    candidates[c].key = keys[candidates[c].place];
    candidates[c].index = from[candidates[c].place].index;
  }
  Ranked* middle = candidates + (half - below);
  std::nth_element(candidates, middle, candidates + count);
  return {std::max_element(candidates, middle)->key, *middle};
}

/// Moves the points before `pivot` to the first half of `to` and the others to the second, each in
/// their order.
inline void partition(const Entry* from, Entry* to, std::size_t n, const double* keys,
                      const Ranked& pivot) {
  Entry* left = to;
  Entry* right = to + n / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const Lanes point = load(&from[i].x);
    const bool before =
        (keys[i] < pivot.key) | ((keys[i] == pivot.key) & (from[i].index < pivot.index));
    Entry* target = before ? left : right;
    store(&target->x, point);
    left += static_cast<std::ptrdiff_t>(before);
    right += static_cast<std::ptrdiff_t>(!before);
  }
}

/// Splits a large node: a histogram of the projections within one deviation of their mean finds the
/// few points that can be the median, and only these are ordered. O(n).
inline double split_by_histogram(const Entry* from, Entry* to, std::size_t n, const Normal& normal,
                                 double* keys, std::uint8_t* buckets) {
  std::uint32_t histogram[2][kBuckets] = {};
  const Lanes wx = all(normal.w[0]);
  const Lanes wy = all(normal.w[1]);
  const Lanes wz = all(normal.w[2]);
  const double per_bucket =
      normal.deviation > 0.0 ? (static_cast<double>(kBuckets) / 2 - 1) / normal.deviation : 0.0;
  const Lanes scale = all(per_bucket);
  const Lanes mean = all(normal.mean);
  const Lanes middle = all(static_cast<double>(kBuckets) / 2);
  const Lanes last = all(static_cast<double>(kBuckets) - 1);
  for (std::size_t i = 0; i < n; i += 4) {
    const Lanes key = project_four(from + i, wx, wy, wz);
    store(keys + i, key);
    Lanes bucket = (key - mean) * scale + middle;
    bucket = bucket > all(0.0) ? bucket : all(0.0);
    bucket = bucket < last ? bucket : last;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto b = static_cast<std::uint8_t>(static_cast<std::int32_t>(bucket[k]));
      buckets[i + k] = b;
      ++histogram[k % 2][b];
    }
  }
  for (std::size_t b = 0; b < kBuckets; ++b) histogram[0][b] += histogram[1][b];
  // Until the points move there, their destination has room for the candidates.
  static_assert(sizeof(Ranked) <= sizeof(Entry) && alignof(Ranked) <= alignof(Entry));
  auto* candidates = reinterpret_cast<Ranked*>(to);
  const Middle found = find_middle(from, n, keys, buckets, histogram[0], candidates);
  partition(from, to, n, keys, found.least_right);
  return detail::plane_offset(found.greatest_left, found.least_right.key);
}

}  // namespace
}  // namespace pointtree::geometry::tree

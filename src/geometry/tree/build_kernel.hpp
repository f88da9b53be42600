// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "tree/pairs.hpp"

namespace pointtree::geometry::tree {
namespace {

/// Up to kGroup neighbouring nodes of equal size.
struct Nodes {
  Entry* from;
  Entry* to;
  std::size_t count;
  std::size_t size;
  std::int32_t* buckets;
  PlaneRecord* planes;
};

/// Which way a node turns where its covariance does not say.
inline void settle_tie(const detail::Symmetric3& covariance, const Entry* points, std::size_t n,
                       const double mean[3], double w[3]) {
  double skew[3] = {0, 0, 0};
  double skew_scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = points[i].x - mean[0];
    const double y = points[i].y - mean[1];
    const double z = points[i].z - mean[2];
    const double square = (x * x + y * y) + z * z;
    skew[0] += square * x;
    skew[1] += square * y;
    skew[2] += square * z;
    skew_scale += square * std::sqrt(square);
  }
  detail::settled_direction(covariance, skew, skew_scale, w);
}

/// Turns the normal so that the projections have positive skewness, unless they have next to none.
inline void orient_by_skewness(const Entry* points, std::size_t n, Normal& normal) {
  double third = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = detail::project(normal.w, points[i].x, points[i].y, points[i].z) - normal.mean;
    third += s * s * s;
  }
  const double scale =
      static_cast<double>(n) * normal.deviation * normal.deviation * normal.deviation;
  if (third < -kSkewness * scale) {
    for (double& component : normal.w) component = -component;
    normal.mean = -normal.mean;
  }
}

POINTTREE_ALWAYS_INLINE double split_node(const Nodes& nodes, std::size_t k, const Normal& normal) {
  const std::size_t first = k * nodes.size;
  Entry* from = nodes.from + first;
  Entry* to = nodes.to + first;
  switch (nodes.size) {
    case 4:
      return split_by_ranks<4>(from, to, normal.w);
    case 8:
      return split_by_ranks<8>(from, to, normal.w);
    case kLargestRanked:
      return split_by_ranks<kLargestRanked>(from, to, normal.w);
    default:
      return split_by_histogram(from, to, nodes.size, normal, nodes.buckets + first);
  }
}

/// Splits a group of nodes of four points or more; returns the number of ties settled.
inline std::int32_t split_group(const Nodes& nodes, const Rules& rules) {
  GroupCovariances covariances;
  alignas(32) double means[kGroup][4];
  bool duplicates[kGroup] = {};
  const double least_trace = static_cast<double>(nodes.size) * rules.duplicate_square;
  for (std::size_t k = 0; k < kGroup; ++k) {
    Moments m{SimdVector{1.0, 0.0, 0.0, 0.0}, all(0.0), all(0.0)};
    if (k < nodes.count) {
      m = node_moments(nodes.from + k * nodes.size, nodes.size);
      store(means[k], m.mean);
      duplicates[k] = !((m.squares[0] + m.squares[1]) + m.squares[2] > least_trace);
      if (duplicates[k]) m = {SimdVector{1.0, 0.0, 0.0, 0.0}, all(0.0), m.mean};
    }
    covariances.xx[k] = m.squares[0];
    covariances.yy[k] = m.squares[1];
    covariances.zz[k] = m.squares[2];
    covariances.xy[k] = m.products[0];
    covariances.yz[k] = m.products[1];
    covariances.xz[k] = m.products[2];
  }
  GroupDirections directions;
  principal_directions(covariances, directions);

  std::int32_t ties = 0;
  for (std::size_t k = 0; k < nodes.count; ++k) {
    Normal normal{{directions.x[k], directions.y[k], directions.z[k]}, 0.0, 0.0};
    const Entry* from = nodes.from + k * nodes.size;
    ties += static_cast<std::int32_t>(duplicates[k] || directions.open[k] != 0);
    if (directions.open[k] != 0) {
      settle_tie(covariances.at(k), from, nodes.size, means[k], normal.w);
    }
    if (rules.axis_aligned) detail::align_to_axis(normal.w);
    if (nodes.size > kLargestRanked || rules.third_moment_sign) {
      const double* w = normal.w;
      const double along = detail::scatter_along(covariances.at(k), w);
      normal.mean = detail::project(w, means[k][0], means[k][1], means[k][2]);
      normal.deviation = std::sqrt(std::fabs(along) / static_cast<double>(nodes.size));
    }
    if (rules.third_moment_sign) orient_by_skewness(from, nodes.size, normal);
    const double offset = split_node(nodes, k, normal);
    PlaneRecord& plane = nodes.planes[k];
    for (int c = 0; c < 3; ++c) plane.normal[c] = normal.w[c];
    plane.offset = offset;
  }
  return ties;
}

/// Splits the root of a subtree of four points or more into `spare`.
inline std::int32_t split_root(const Subtree& s, const Rules& rules) {
  return split_group({s.points, s.spare, 1, s.n, s.buckets, s.planes + (s.heap - 1)}, rules);
}

/// Builds a subtree level by level, moving the points to and fro between its two halves of memory.
inline std::int32_t build_block(const Subtree& s, const Rules& rules) {
  std::int32_t ties = 0;
  Entry* from = s.points;
  Entry* to = s.spare;
  std::size_t size = s.n;
  std::size_t heap = s.heap;
  for (; size > 2; size /= 2, heap *= 2) {
    const std::size_t nodes = s.n / size;
    for (std::size_t k = 0; k < nodes; k += kGroup) {
      const std::size_t first = k * size;
      ties += split_group({from + first, to + first, std::min(kGroup, nodes - k), size,
                           s.buckets + first, s.planes + (heap + k - 1)},
                          rules);
    }
    std::swap(from, to);
  }
  split_pairs(from, s.n, rules.axis_aligned, s.planes + (heap - 1), s.leaf_order);
  return ties;
}

/// Builds a subtree depth first down to blocks.
inline std::int32_t build_subtree(const Subtree& s, const Rules& rules) {
  if (s.n <= kBlock) return build_block(s, rules);
  std::int32_t ties = split_root(s, rules);
  for (std::size_t side = 0; side < 2; ++side) ties += build_subtree(child(s, side), rules);
  return ties;
}

}  // namespace
}  // namespace pointtree::geometry::tree

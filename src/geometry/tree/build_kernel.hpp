// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "tree/median_split.hpp"
#include "tree/quads.hpp"

namespace pointtree::geometry::tree {
namespace {

/// Neighbouring nodes of equal size.
struct Nodes {
  Entry* from;
  Entry* to;
  std::size_t count;
  std::size_t size;
  std::int8_t* buckets;
  PlaneRecord* planes;
};

/// The direction of a node whose covariance leaves it open.
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
    case 32:  // known sizes leave no loops
      return split_by_median(from, to, 32, normal, nodes.buckets + first);
    case 64:
      return split_by_median(from, to, 64, normal, nodes.buckets + first);
    default:
      return split_by_median(from, to, nodes.size, normal, nodes.buckets + first);
  }
}

/// Splits up to kGroup nodes of four points or more; returns the number of ties settled.
inline std::int32_t split_group(const Nodes& nodes, const Rules& rules) {
  GroupCovariances covariances;
  alignas(32) double means[kGroup][4];
  bool duplicates[kGroup] = {};
  const double least_trace = static_cast<double>(nodes.size) * rules.duplicate_square;
  Moments moments[kGroup];
  const std::size_t step = kOneRegister && nodes.count > 1 ? 2 : 1;
  for (std::size_t k = 0; k < nodes.count; k += step) {
    const Entry* first = nodes.from + k * nodes.size;
    if (step == 2) {
      node_moments<2>(first, nodes.size, moments + k);
    } else {
      node_moments<1>(first, nodes.size, moments + k);
    }
  }
  for (std::size_t k = 0; k < kGroup; ++k) {
    Moments m{SimdVector{1.0, 0.0, 0.0, 0.0}, all(0.0), all(0.0)};
    if (k < nodes.count) {
      m = moments[k];
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

/// Some of the nodes, at most a group of them.
inline Nodes group_of(const Nodes& nodes, std::size_t first) {
  const std::size_t points = first * nodes.size;
  return {nodes.from + points, nodes.to + points,      std::min(kGroup, nodes.count - first),
          nodes.size,          nodes.buckets + points, nodes.planes + first};
}

/// Splits a level of nodes of one size.
inline std::int32_t split_level(const Nodes& nodes, const Rules& rules) {
  std::int32_t ties = 0;
  for (std::size_t k = 0; k < nodes.count; k += kGroup) {
    ties += split_group(group_of(nodes, k), rules);
  }
  return ties;
}

/// The last two levels: nodes of four points and their pairs.
inline std::int32_t split_last_levels(const Nodes& nodes, const Rules& rules,
                                      PlaneRecord* pair_planes, std::int32_t* leaf_order) {
  const bool plain = kOneRegister && !rules.axis_aligned && !rules.third_moment_sign;
  std::int32_t ties = 0;
  for (std::size_t k = 0; k < nodes.count; k += kGroup) {
    const Nodes group = group_of(nodes, k);
    PlaneRecord* below = pair_planes + 2 * k;
    std::int32_t* leaves = leaf_order + 4 * k;
    if (plain && group.count == kGroup &&
        split_quads(group.from, rules.duplicate_square, group.planes, below, leaves)) {
      continue;
    }
    ties += split_group(group, rules);
    split_pairs(group.to, 4 * group.count, rules.axis_aligned, below, leaves);
  }
  return ties;
}

/// Builds a subtree level by level, moving the points to and fro between its two halves of memory.
inline std::int32_t build_block(const Subtree& s, const Rules& rules) {
  if (s.n == 2) {
    split_pairs(s.points, 2, rules.axis_aligned, s.planes + (s.heap - 1), s.leaf_order);
    return 0;
  }
  std::int32_t ties = 0;
  std::size_t heap = s.heap;
  Nodes nodes{s.points, s.spare, 1, s.n, s.buckets, s.planes + (heap - 1)};
  while (nodes.size > 4) {
    ties += split_level(nodes, rules);
    heap *= 2;
    nodes = {nodes.to,       nodes.from, 2 * nodes.count,
             nodes.size / 2, s.buckets,  s.planes + (heap - 1)};
  }
  return ties + split_last_levels(nodes, rules, s.planes + (2 * heap - 1), s.leaf_order);
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

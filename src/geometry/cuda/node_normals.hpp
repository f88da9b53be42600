// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cuda/level.hpp"
#include "geometry/detail/principal_direction.hpp"

// The normals of a block's nodes. All sums are taken in the order of the CPU builder: even and odd
// points apart, one after the other. A sum is therefore one thread's, but a node has 18 of them, a
// level 2^l nodes and a batch many clouds.
namespace pointtree::geometry::cuda {

POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE double coordinate(const Entry& point,
                                                                std::uint32_t axis) {
  return axis == 0 ? point.x : (axis == 1 ? point.y : point.z);
}

POINTTREE_HOST_DEVICE inline void find_means(const Group& group) {
  const GroupMemory& memory = group.memory;
  const std::uint32_t size = group.level.size;
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    if (lane >= 6) return;
    const std::size_t begin = group.begin(node);
    const std::uint32_t axis = lane / 2;
    const Entry start = group.from[begin + lane % 2];
    double sum = coordinate(start, axis);
    for (std::uint32_t i = lane % 2 + 2; i < size; i += 2) {
      const Entry point = group.from[begin + i];
      sum += coordinate(point, axis);
    }
    memory.sums[node * kChains + lane] = sum;
  });
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    if (lane >= 3) return;
    const std::uint32_t even = node * kChains + 2 * lane;
    memory.means[node * 3 + lane] = (memory.sums[even] + memory.sums[even + 1]) * (1.0 / size);
  });
}

POINTTREE_HOST_DEVICE inline void add_scatters(const Group& group) {
  const GroupMemory& memory = group.memory;
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    if (lane >= kChains) return;
    const std::size_t begin = group.begin(node);
    const std::uint32_t order = lane / 6;  // 0: first moments, 1: squares, 2: mixed
    const std::uint32_t axis = lane / 2 % 3;
    const std::uint32_t other = order == 2 ? (axis + 1) % 3 : axis;
    const double mean = memory.means[node * 3 + axis];
    const double other_mean = memory.means[node * 3 + other];
    double sum = 0.0;
    for (std::uint32_t i = lane % 2; i < group.level.size; i += 2) {
      const Entry point = group.from[begin + i];
      const double d = coordinate(point, axis) - mean;
      sum += order == 0 ? d : d * (coordinate(point, other) - other_mean);
    }
    memory.sums[node * kChains + lane] = sum;
  });
}

/// The scatter matrix from the sums, corrected for what the mean lost in rounding.
POINTTREE_HOST_DEVICE inline detail::SymmetricOf<double> corrected_scatter(
    const GroupMemory& memory, std::uint32_t node, std::uint32_t size) {
  const double count = size;
  double sums[9];
  for (std::uint32_t c = 0; c < 9; ++c) {
    const std::uint32_t even = node * kChains + 2 * c;
    sums[c] = memory.sums[even] + memory.sums[even + 1];
  }
  double rest[3];
  for (int c = 0; c < 3; ++c) rest[c] = sums[c] * (1.0 / count);
  double squares[3];
  double products[3];
  for (int c = 0; c < 3; ++c) {
    squares[c] = sums[3 + c] - count * rest[c] * rest[c];
    products[c] = sums[6 + c] - count * rest[c] * rest[(c + 1) % 3];
  }
  return {squares[0], products[0], products[2], squares[1], products[1], squares[2]};
}

/// Sharpens each node's matrix until its first eigenvector stands alone, then all as often as the
/// group's slowest. Afterwards `open` marks the nodes where it never did.
POINTTREE_HOST_DEVICE inline void find_directions(const Group& group, double duplicate_square) {
  const GroupMemory& memory = group.memory;
  const std::uint32_t size = group.level.size;
  group.each_node([&](std::uint32_t node) {
    detail::SymmetricOf<double> m = corrected_scatter(memory, node, size);
    const bool duplicate = !((m.xx + m.yy) + m.zz > size * duplicate_square);
    if (duplicate) m = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    memory.duplicates[node] = static_cast<std::int32_t>(duplicate);
    memory.scatters[node] = m;
    detail::scale(m, 1.0 / detail::trace(m));
    bool open = true;
    std::int32_t squarings = 0;
    for (; squarings < tree::kMaxSquarings && open; squarings += 2) {
      open = detail::sharpen<bool>(m, 1.0, 1.0 - tree::kResidual);
    }
    memory.matrices[node] = m;
    memory.squarings[node] = squarings;
    memory.open[node] = static_cast<std::int32_t>(open);
  });
  group.each_node([&](std::uint32_t node) {
    std::int32_t wanted = 0;
    for (std::uint32_t other = 0; other < group.level.group; ++other) {
      const std::int32_t squarings = memory.squarings[other];
      wanted = squarings > wanted ? squarings : wanted;
    }
    detail::SymmetricOf<double> m = memory.matrices[node];
    bool open = memory.open[node] != 0;
    for (std::int32_t squarings = memory.squarings[node]; squarings < wanted; squarings += 2) {
      open = detail::sharpen<bool>(m, 1.0, 1.0 - tree::kResidual);
    }
    memory.open[node] = static_cast<std::int32_t>(open);
    Normal normal{};
    detail::leading_column<bool>(m, normal.w[0], normal.w[1], normal.w[2]);
    const double* w = normal.w;
    const double factor = 1.0 / sqrt((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
    for (double& component : normal.w) component *= factor;
    memory.normals[node] = normal;
  });
}

/// Third moments of the nodes whose direction is open: three components and their scale.
POINTTREE_HOST_DEVICE inline void add_skewness(const Group& group) {
  const GroupMemory& memory = group.memory;
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    if (lane >= 4 || memory.open[node] == 0) return;
    const std::size_t begin = group.begin(node);
    double mean[3];
    for (std::uint32_t c = 0; c < 3; ++c) mean[c] = memory.means[node * 3 + c];
    double sum = 0.0;
    for (std::uint32_t i = 0; i < group.level.size; ++i) {
      const Entry point = group.from[begin + i];
      const double x = point.x - mean[0];
      const double y = point.y - mean[1];
      const double z = point.z - mean[2];
      const double square = (x * x + y * y) + z * z;
      sum += square * (lane == 0 ? x : lane == 1 ? y : lane == 2 ? z : sqrt(square));
    }
    memory.sums[node * kChains + lane] = sum;
  });
}

/// Turns the normal so that the projections have positive skewness, unless they have next to none.
POINTTREE_HOST_DEVICE inline void orient_by_skewness(const Group& group, std::uint32_t node,
                                                     Normal& normal) {
  const std::size_t begin = group.begin(node);
  double third = 0.0;
  for (std::uint32_t i = 0; i < group.level.size; ++i) {
    const Entry point = group.from[begin + i];
    const double s = group.key(normal, point) - normal.mean;
    third += s * s * s;
  }
  const double scale = group.level.size * normal.deviation * normal.deviation * normal.deviation;
  if (third < -tree::kSkewness * scale) {
    for (double& component : normal.w) component = -component;
    normal.mean = -normal.mean;
  }
}

/// Settles open directions and fills in what the split needs to know of the projections.
POINTTREE_HOST_DEVICE inline void finish_normals(const Group& group) {
  const GroupMemory& memory = group.memory;
  const std::uint32_t size = group.level.size;
  group.each_node([&](std::uint32_t node) {
    Normal normal = memory.normals[node];
    const detail::SymmetricOf<double> s = memory.scatters[node];
    const detail::Symmetric3 scatter{s.xx, s.xy, s.xz, s.yy, s.yz, s.zz};
    if (memory.open[node] != 0) {
      double skew[4];
      for (std::uint32_t c = 0; c < 4; ++c) skew[c] = memory.sums[node * kChains + c];
      detail::settled_direction(scatter, skew, skew[3], normal.w);
    }
    if (group.rules.axis_aligned) detail::align_to_axis(normal.w);
    double mean[3];
    for (std::uint32_t c = 0; c < 3; ++c) mean[c] = memory.means[node * 3 + c];
    normal.mean = detail::project(normal.w, mean[0], mean[1], mean[2]);
    normal.deviation = sqrt(fabs(detail::scatter_along(scatter, normal.w)) / size);
    if (group.rules.third_moment_sign) orient_by_skewness(group, node, normal);
    memory.normals[node] = normal;
  });
}

/// Finds the normals of all nodes of the block; `duplicate_square` is the mean square deviation at
/// or below which points count as one place.
POINTTREE_HOST_DEVICE inline void find_normals(const Group& group, double duplicate_square) {
  find_means(group);
  add_scatters(group);
  find_directions(group, duplicate_square);
  add_skewness(group);
  finish_normals(group);
}

}  // namespace pointtree::geometry::cuda

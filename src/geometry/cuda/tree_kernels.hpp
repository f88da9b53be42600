// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "cuda/node_normals.hpp"
#include "cuda/node_splits.hpp"

// The kernels that a batch of trees is made of. B clouds of n points each; all arrays are
// contiguous.
namespace pointtree::geometry::cuda {

/// Centres every cloud and measures its extent: one block per cloud.
struct CentreClouds {
  static constexpr std::uint32_t kThreads = 256;

  const float* points;        ///< [B, n, 3]
  Entry* entries;             ///< [B, n], written
  double* centres;            ///< [B, 3], written
  double* duplicate_squares;  ///< [B], written
  std::int32_t* ties;         ///< [B], set to 0
  std::int32_t* finite;       ///< [B], written: whether all points are
  std::uint32_t clouds;
  std::uint32_t n;

  std::uint32_t blocks() const { return clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return (6 + kThreads) * sizeof(double); }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.shared<double>(6);
    auto extents = block.shared<double>(kThreads);
    const std::uint32_t cloud = block.index();
    const std::size_t begin = static_cast<std::size_t>(cloud) * n;
    block.each_thread([&](std::uint32_t thread) {
      if (thread >= 6) return;
      double sum = 0.0;
      for (std::uint32_t i = thread % 2; i < n; i += 2) sum += points[(begin + i) * 3 + thread / 2];
      sums[thread] = sum;
    });
    block.each_thread([&](std::uint32_t thread) {
      double centre[3];
      for (std::uint32_t c = 0; c < 3; ++c) centre[c] = (sums[2 * c] + sums[2 * c + 1]) / n;
      if (thread < 3) centres[cloud * 3 + thread] = centre[thread];
      double extent = 0.0;
      for (std::uint32_t i = thread; i < n; i += kThreads) {
        const std::size_t row = (begin + i) * 3;
        Entry entry{points[row] - centre[0], points[row + 1] - centre[1],
                    points[row + 2] - centre[2], static_cast<double>(i)};
        const double x = fabs(entry.x);
        const double y = fabs(entry.y);
        const double z = fabs(entry.z);
        // Comparisons that NaN fails: such a cloud is refused, and its tree is that of one place.
        const bool usable =
            x < tree::kLargestExtent && y < tree::kLargestExtent && z < tree::kLargestExtent;
        if (!usable) entry = {0.0, 0.0, 0.0, entry.index};
        extent = fmax(extent, usable ? fmax(x, fmax(y, z)) : tree::kLargestExtent);
        entries[begin + i] = entry;
      }
      extents[thread] = extent;
    });
    block.last_phase([&](std::uint32_t thread) {
      if (thread != 0) return;
      double extent = 0.0;
      for (std::uint32_t t = 0; t < kThreads; ++t) extent = fmax(extent, extents[t]);
      const double resolution = extent * tree::kResolution;
      duplicate_squares[cloud] = resolution * resolution;
      ties[cloud] = 0;
      finite[cloud] = static_cast<std::int32_t>(extent < tree::kLargestExtent);
    });
  }
};

/// Splits all nodes of one level, of four points or more, in all clouds.
struct SplitLevel {
  static constexpr std::uint32_t kThreads = kMostThreads;

  Entry* from;                ///< [B, n]
  Entry* to;                  ///< [B, n], written
  SplitScratch scratch;       ///< [B, n]
  double* duplicate_squares;  ///< [B]
  PlaneRecord* planes;        ///< [B, n − 1], this level written
  std::int32_t* ties;         ///< [B], added to
  tree::Rules rules;
  Level level;
  std::uint32_t clouds;

  std::uint32_t blocks() const { return clouds * (level.nodes() / level.group); }
  std::uint32_t threads() const { return level.threads(); }
  std::size_t shared_bytes() const {
    Block block;
    const GroupMemory memory(block, level);
    if (level.size > tree::kLargestRanked) const HistogramMemory middle(block, level);
    return block.shared_bytes();
  }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    const std::uint32_t groups = level.nodes() / level.group;
    const std::uint32_t cloud = block.index() / groups;
    const std::uint32_t first_node = block.index() % groups * level.group;
    const std::size_t begin = static_cast<std::size_t>(cloud) * level.points;
    const GroupMemory memory(block, level);
    const Group group{block, level, rules, from, to, begin + std::size_t{first_node} * level.size,
                      memory};
    find_normals(group, static_cast<double>(duplicate_squares[cloud]));
    if (level.size > tree::kLargestRanked) {
      const HistogramMemory middle(block, level);
      split_by_histogram(group, middle, scratch);
    } else {
      split_by_ranks(group);
    }
    block.last_phase([&](std::uint32_t node) {
      if (node >= level.group) return;
      const Normal normal = memory.normals[node];
      const PlaneRecord plane{
          {normal.w[0], normal.w[1], normal.w[2]},
          detail::plane_offset(memory.left_keys[node], memory.right_keys[node])};
      planes[begin - cloud + (level.nodes() - 1) + first_node + node] = plane;
      if (memory.duplicates[node] != 0 || memory.open[node] != 0) block.add(ties, cloud, 1);
    });
  }
};

/// The last level: splits every pair of points and writes out the leaves; one thread per pair.
struct SplitPairs {
  static constexpr std::uint32_t kThreads = 128;

  Entry* points;              ///< [B, n]
  PlaneRecord* planes;        ///< [B, n − 1], the last n / 2 written
  std::int32_t* leaf_orders;  ///< [B, n], written
  bool axis_aligned;
  std::uint32_t clouds;
  std::uint32_t n;

  std::uint32_t blocks() const { return (clouds * (n / 2) + kThreads - 1) / kThreads; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 0; }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    block.last_phase([&](std::uint32_t thread) {
      const std::uint32_t pair = block.index() * kThreads + thread;
      if (pair >= clouds * (n / 2)) return;
      const std::size_t first = std::size_t{2} * pair;
      const Entry a = points[first];
      const Entry b = points[first + 1];
      double w[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
      direct(w);
      const double at_a = detail::project(w, a.x, a.y, a.z);
      const double at_b = detail::project(w, b.x, b.y, b.z);
      const bool a_first = detail::comes_before(at_a, a.index, at_b, b.index);
      const PlaneRecord plane{
          {w[0], w[1], w[2]},
          a_first ? detail::plane_offset(at_a, at_b) : detail::plane_offset(at_b, at_a)};
      const std::uint32_t cloud = pair / (n / 2);
      planes[std::size_t{cloud} * (n - 1) + (n / 2 - 1) + pair % (n / 2)] = plane;
      leaf_orders[first] = static_cast<std::int32_t>(a_first ? a.index : b.index);
      leaf_orders[first + 1] = static_cast<std::int32_t>(a_first ? b.index : a.index);
    });
  }

 private:
  /// From the difference of two points to the unit normal between them.
  POINTTREE_HOST_DEVICE void direct(double* w) const {
    if (axis_aligned) {
      detail::align_to_axis(w);
      return;
    }
    const double x = fabs(w[0]);
    const double y = fabs(w[1]);
    const double z = fabs(w[2]);
    const double leading = (x >= y && x >= z) ? w[0] : (y >= z ? w[1] : w[2]);
    const double length = sqrt((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
    const double factor = (leading < 0.0 ? -1.0 : 1.0) / length;
    for (int c = 0; c < 3; ++c) w[c] = length > 0.0 ? w[c] * factor : (c == 0 ? 1.0 : 0.0);
  }
};

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block_sums.hpp"
#include "cuda/level.hpp"
#include "geometry/detail/projection.hpp"

// Moves the points of a block's nodes into their halves, in the very order of the CPU builder, on
// which the sums of the next level depend.
namespace pointtree::geometry::cuda {

/// Small nodes are sorted by counting, for every point, the points before it.
POINTTREE_HOST_DEVICE inline void split_by_ranks(const Group& group) {
  const GroupMemory& memory = group.memory;
  const std::uint32_t size = group.level.size;
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    if (lane >= size) return;
    const std::size_t begin = group.begin(node);
    const Normal normal = memory.normals[node];
    const Entry mine = group.from[begin + lane];
    const double key = group.key(normal, mine);
    std::uint32_t rank = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      const Entry other = group.from[begin + i];
      rank += detail::comes_before(group.key(normal, other), other.index, key, mine.index) ? 1 : 0;
    }
    group.to[begin + rank] = mine;
    if (rank == size / 2 - 1) memory.left_keys[node] = key;
    if (rank == size / 2) memory.right_keys[node] = key;
  });
}

/// What a block remembers of the histograms of its nodes.
struct HistogramMemory {
  HistogramMemory(const HistogramMemory&) = delete;

  POINTTREE_HOST_DEVICE HistogramMemory(Block& block, const Level& level)
      : histogram(block.shared<std::uint32_t>(level.group * level.buckets())),
        histogram_sums(block.shared<std::uint32_t>(level.group * level.buckets())),
        counts(block.shared<std::uint64_t>(level.threads())),
        count_sums(block.shared<std::uint64_t>(level.threads())),
        low(block.shared<std::uint32_t>(level.group)),
        high(block.shared<std::uint32_t>(level.group)),
        before(block.shared<std::uint32_t>(level.group)),
        upto(block.shared<std::uint32_t>(level.group)) {}

  std::uint32_t* histogram;
  std::uint32_t* histogram_sums;
  std::uint64_t* counts;  ///< per lane: points left of the middle, 2^32 · in it
  std::uint64_t* count_sums;
  std::uint32_t* low;     ///< first bucket of the middle
  std::uint32_t* high;    ///< last bucket of the middle
  std::uint32_t* before;  ///< points in buckets before the middle
  std::uint32_t* upto;    ///< points in buckets up to its end
};

/// Scratch memory of the split: as many elements as there are points in the batch.
struct SplitScratch {
  std::int32_t* buckets;
  double* keys;
};

/// Counts the projections in equal buckets from one deviation below the mean to one above, where
/// the median must be; the outermost buckets take everything beyond.
POINTTREE_HOST_DEVICE inline void count_into_buckets(const Group& group,
                                                     const HistogramMemory& middle,
                                                     const SplitScratch& scratch) {
  const Level& level = group.level;
  const std::uint32_t buckets = level.buckets();
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    for (std::uint32_t b = lane; b < buckets; b += level.lanes) {
      middle.histogram[node * buckets + b] = 0;
    }
  });
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    const Normal normal = group.memory.normals[node];
    const double half = static_cast<double>(buckets) / 2;
    const double scale = normal.deviation > 0.0 ? (half - 1) / normal.deviation : 0.0;
    const double last = static_cast<double>(buckets) - 1;
    for (std::uint32_t i = lane; i < level.size; i += level.lanes) {
      const Entry point = group.from[group.begin(node) + i];
      double bucket = (group.key(normal, point) - normal.mean) * scale + half;
      bucket = bucket > 0.0 ? bucket : 0.0;
      bucket = bucket < last ? bucket : last;
      const auto whole = static_cast<std::int32_t>(bucket);
      scratch.buckets[group.begin(node) + i] = whole;
      group.block.add(middle.histogram, node * buckets + static_cast<std::uint32_t>(whole), 1U);
    }
  });
}

/// Finds the buckets that hold the points on either side of the split.
POINTTREE_HOST_DEVICE inline void find_middle(const Group& group, const HistogramMemory& middle) {
  const Level& level = group.level;
  const std::uint32_t buckets = level.buckets();
  const std::uint32_t half = level.size / 2;
  const auto sums = inclusive_sums<std::uint32_t>(group.block, level.threads(), middle.histogram,
                                                  middle.histogram_sums, level.group, buckets);
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    for (std::uint32_t b = lane; b < buckets; b += level.lanes) {
      const std::uint32_t upto = sums[node * buckets + b];
      std::uint32_t before = 0;
      if (b > 0) before = sums[node * buckets + b - 1];
      if (before < half && upto >= half) {
        middle.low[node] = b;
        middle.before[node] = before;
      }
      if (before < half + 1 && upto >= half + 1) {
        middle.high[node] = b;
        middle.upto[node] = upto;
      }
    }
  });
}

/// Moves the points to three places, before, in and after the middle, keeping their order. A lane
/// moves neighbouring points.
POINTTREE_HOST_DEVICE inline void move_by_bucket(const Group& group, const HistogramMemory& middle,
                                                 const SplitScratch& scratch) {
  const Level& level = group.level;
  const std::uint32_t share = level.size / level.lanes;
  constexpr std::uint64_t kCentre = std::uint64_t{1} << 32;
  const auto kind = [&](std::uint32_t node, std::size_t place) {
    const std::int32_t bucket = scratch.buckets[place];
    if (bucket < static_cast<std::int32_t>(middle.low[node])) return std::uint64_t{1};
    return bucket > static_cast<std::int32_t>(middle.high[node]) ? std::uint64_t{0} : kCentre;
  };
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    std::uint64_t counts = 0;
    const std::size_t begin = group.begin(node) + lane * share;
    for (std::uint32_t i = 0; i < share; ++i) counts += kind(node, begin + i);
    middle.counts[node * level.lanes + lane] = counts;
  });
  const auto sums = inclusive_sums<std::uint64_t>(group.block, level.threads(), middle.counts,
                                                  middle.count_sums, level.group, level.lanes);
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    std::uint64_t counts = 0;
    if (lane > 0) counts = sums[node * level.lanes + lane - 1];
    auto left = static_cast<std::uint32_t>(counts % kCentre);
    auto centre = static_cast<std::uint32_t>(counts / kCentre);
    std::uint32_t right = lane * share - left - centre + middle.upto[node];
    centre += middle.before[node];
    const std::size_t begin = group.begin(node);
    for (std::uint32_t i = lane * share; i < (lane + 1) * share; ++i) {
      const std::uint64_t where = kind(node, begin + i);
      const std::uint32_t place = where == 1 ? left++ : (where == kCentre ? centre++ : right++);
      const Entry point = group.from[begin + i];
      group.to[begin + place] = point;
    }
  });
}

/// Ranks the points of the middle and finds the first of the right half and the last of the left.
POINTTREE_HOST_DEVICE inline void find_median(const Group& group, const HistogramMemory& middle,
                                              const SplitScratch& scratch) {
  const Level& level = group.level;
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    const Normal normal = group.memory.normals[node];
    const std::uint32_t upto = middle.upto[node];
    for (std::uint32_t i = middle.before[node] + lane; i < upto; i += level.lanes) {
      const Entry point = group.to[group.begin(node) + i];
      scratch.keys[group.begin(node) + i] = group.key(normal, point);
    }
  });
  group.each_lane([&](std::uint32_t node, std::uint32_t lane) {
    const std::size_t begin = group.begin(node);
    const std::uint32_t before = middle.before[node];
    const std::uint32_t upto = middle.upto[node];
    for (std::uint32_t i = before + lane; i < upto; i += level.lanes) {
      const double key = scratch.keys[begin + i];
      const Entry mine = group.to[begin + i];
      std::uint32_t rank = before;
      for (std::uint32_t j = before; j < upto; ++j) {
        const Entry other = group.to[begin + j];
        rank += detail::comes_before(scratch.keys[begin + j], other.index, key, mine.index) ? 1 : 0;
      }
      if (rank == level.size / 2 - 1) group.memory.left_keys[node] = key;
      if (rank == level.size / 2) {
        group.memory.right_keys[node] = key;
        group.memory.right_indices[node] = mine.index;
      }
    }
  });
}

/// Brings those points of the middle that belong to the left half to its front. One thread does so,
/// swap by swap as the CPU builder, since the middle is a few points unless projections coincide.
POINTTREE_HOST_DEVICE inline void part_middle(const Group& group, const HistogramMemory& middle,
                                              const SplitScratch& scratch) {
  group.each_node([&](std::uint32_t node) {
    const std::size_t begin = group.begin(node);
    const double pivot = group.memory.right_keys[node];
    const double pivot_index = group.memory.right_indices[node];
    const std::uint32_t upto = middle.upto[node];
    std::uint32_t front = middle.before[node];
    for (std::uint32_t i = front; i < upto; ++i) {
      const Entry point = group.to[begin + i];
      if (!detail::comes_before(scratch.keys[begin + i], point.index, pivot, pivot_index)) continue;
      const Entry other = group.to[begin + front];
      group.to[begin + front] = point;
      group.to[begin + i] = other;
      ++front;
    }
  });
}

/// Large nodes: a histogram finds the few points that can be the median, and only these are ranked.
/// O(n) unless many projections coincide; then O(n²) comparisons over all lanes.
POINTTREE_HOST_DEVICE inline void split_by_histogram(const Group& group,
                                                     const HistogramMemory& middle,
                                                     const SplitScratch& scratch) {
  count_into_buckets(group, middle, scratch);
  find_middle(group, middle);
  move_by_bucket(group, middle, scratch);
  find_median(group, middle, scratch);
  part_middle(group, middle, scratch);
}

}  // namespace pointtree::geometry::cuda

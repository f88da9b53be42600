// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/block.hpp"
#include "geometry/detail/projection.hpp"
#include "geometry/detail/symmetric_square.hpp"
#include "tree/build_order.hpp"
#include "tree/entry.hpp"

namespace pointtree::geometry::cuda {

using tree::Entry;
using tree::PlaneRecord;

/// How one level of a batch of trees is shared out: a block has a group of nodes, and a node some
/// threads, its lanes. Groups are those of the CPU builder, since the nodes of a group settle
/// together on how long they iterate.
struct Level {
  std::uint32_t points = 0;  ///< of a cloud, 2^d
  std::uint32_t size = 0;    ///< points of a node, 4 or more
  std::uint32_t group = 1;   ///< nodes of a block
  std::uint32_t lanes = 32;  ///< threads of a node, never more than its points except in a warp

  POINTTREE_HOST_DEVICE std::uint32_t nodes() const { return points / size; }
  POINTTREE_HOST_DEVICE std::uint32_t threads() const { return group * lanes; }
  POINTTREE_HOST_DEVICE std::uint32_t buckets() const {
    return size < tree::kMaxBuckets ? size : static_cast<std::uint32_t>(tree::kMaxBuckets);
  }
};

/// The level whose nodes have `size` points.
inline Level make_level(std::uint32_t points, std::uint32_t size) {
  constexpr std::uint32_t kWarp = 32;
  const std::uint32_t block = points < tree::kBlock ? points : std::uint32_t{tree::kBlock};
  const std::uint32_t together = size < block ? block / size : 1;
  Level level{points, size, 1, kWarp};
  level.group = together < tree::kGroup ? together : std::uint32_t{tree::kGroup};
  while (level.lanes < size / 2 && level.threads() < kMostThreads) level.lanes *= 2;
  return level;
}

/// Sums that a node's lanes take over its points: first, square and mixed moments of three axes,
/// each over the even and over the odd points.
constexpr std::uint32_t kChains = 18;

/// A node's normal and what is known of the projections on it.
struct Normal {
  double w[3];
  double mean;
  double deviation;
};

/// What a block remembers of its nodes, one element or row per node.
struct GroupMemory {
  GroupMemory(const GroupMemory&) = delete;

  POINTTREE_HOST_DEVICE GroupMemory(Block& block, const Level& level)
      : sums(block.shared<double>(level.group * kChains)),
        means(block.shared<double>(level.group * 3)),
        scatters(block.shared<detail::SymmetricOf<double>>(level.group)),
        matrices(block.shared<detail::SymmetricOf<double>>(level.group)),
        squarings(block.shared<std::int32_t>(level.group)),
        duplicates(block.shared<std::int32_t>(level.group)),
        open(block.shared<std::int32_t>(level.group)),
        normals(block.shared<Normal>(level.group)),
        left_keys(block.shared<double>(level.group)),
        right_keys(block.shared<double>(level.group)),
        right_indices(block.shared<double>(level.group)) {}

  double* sums;   ///< [kChains]
  double* means;  ///< [3]
  detail::SymmetricOf<double>* scatters;
  detail::SymmetricOf<double>* matrices;  ///< on their way to v vᵀ
  std::int32_t* squarings;
  std::int32_t* duplicates;  ///< all points in one place
  std::int32_t* open;        ///< principal direction not unique
  Normal* normals;
  double* left_keys;   ///< greatest projection of the left half
  double* right_keys;  ///< least projection of the right half, and its point's index
  double* right_indices;
};

/// One block's nodes: points come from `from` and go to `to`.
struct Group {
  Block& block;
  Level level;
  tree::Rules rules;
  Entry* from;
  Entry* to;
  std::size_t first;  ///< place of the first point of the first node
  const GroupMemory& memory;

  POINTTREE_HOST_DEVICE std::size_t begin(std::uint32_t node) const {
    return first + static_cast<std::size_t>(node) * level.size;
  }

  /// Runs phase(node, lane) for all threads.
  template <typename Phase>
  POINTTREE_HOST_DEVICE void each_lane(const Phase& phase) const {
    const std::uint32_t lanes = level.lanes;
    block.each_thread([&](std::uint32_t thread) { phase(thread / lanes, thread % lanes); });
  }

  /// Runs phase(node) once for each node, all in one warp, so that they share its instructions.
  template <typename Phase>
  POINTTREE_HOST_DEVICE void each_node(const Phase& phase) const {
    const std::uint32_t nodes = level.group;
    block.each_thread([&](std::uint32_t thread) {
      if (thread < nodes) phase(thread);
    });
  }

  /// The projection of a point on a node's normal.
  POINTTREE_HOST_DEVICE static double key(const Normal& normal, const Entry& point) {
    return detail::project(normal.w, point.x, point.y, point.z);
  }
};

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "cuda/tree_kernels.hpp"

namespace pointtree::geometry::cuda {

/// Most points of a cloud on the device: where all of them lie on one plane across a node's normal,
/// a node compares each with each.
constexpr std::uint32_t kMaxPoints = 1U << 16;

/// A batch of trees in memory; B clouds of n = 2^d >= 2 points.
template <typename Block>
struct TreeBatch {
  ArrayOf<Block, const float> points;        ///< [B, n, 3]
  ArrayOf<Block, double> centres;            ///< [B, 3], written, as are the following
  ArrayOf<Block, PlaneRecord> planes;        ///< [B, n − 1] in heap order
  ArrayOf<Block, std::int32_t> leaf_orders;  ///< [B, n]
  ArrayOf<Block, std::int32_t> ties;         ///< [B]
  ArrayOf<Block, std::int32_t>
      finite;                     ///< [B]: whether all points are; else the tree means nothing
  ArrayOf<Block, Entry> entries;  ///< [B, n], scratch, as are the following
  ArrayOf<Block, Entry> spare;    ///< [B, n]
  ArrayOf<Block, double> duplicate_squares;  ///< [B]
  SplitScratch<Block> scratch;               ///< [B, n]
  std::uint32_t clouds;
  std::uint32_t n;
};

/// Launches all kernels of a batch of trees one after the other: d + 1 launches, and the host needs
/// to know nothing of what they find.
template <typename Launcher>
void build_trees(Launcher& launcher, const TreeBatch<typename Launcher::Block>& batch,
                 const tree::Rules& rules) {
  using Block = typename Launcher::Block;
  launcher.launch(CentreClouds<Block>{batch.points, batch.entries, batch.centres,
                                      batch.duplicate_squares, batch.ties, batch.finite,
                                      batch.clouds, batch.n});
  ArrayOf<Block, Entry> from = batch.entries;
  ArrayOf<Block, Entry> to = batch.spare;
  for (std::uint32_t size = batch.n; size > 2; size /= 2) {
    launcher.launch(SplitLevel<Block>{from, to, batch.scratch, batch.duplicate_squares,
                                      batch.planes, batch.ties, rules, make_level(batch.n, size),
                                      batch.clouds});
    std::swap(from, to);
  }
  launcher.launch(SplitPairs<Block>{from, batch.planes, batch.leaf_orders, rules.axis_aligned,
                                    batch.clouds, batch.n});
}

}  // namespace pointtree::geometry::cuda

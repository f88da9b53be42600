// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perception/block_cutter.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/frame_result.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Collects the votes of overlapping columns for each point; the class with the largest sum of
/// probabilities wins.
class BlockVotes {
 public:
  BlockVotes(std::size_t points, std::size_t classes) : classes_(classes), place_(points, kNone) {}

  /// Adds a column's answer. `rows[r]` is the place in `block` of the point in row r; points that
  /// were not sampled take the answer of the leaf whose cell they fall into.
  void add(const PointBuffer& points, const Block& block, const std::vector<std::int32_t>& rows,
           const inference::Segmentation& answer);

  /// The outcome for a point; unknown where no column held it or the winner is less probable than
  /// this.
  PointLabel label(std::size_t point, float min_confidence) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  std::size_t classes_;
  std::vector<std::uint32_t> place_;  ///< of a point among those that were voted on
  std::vector<float> sums_;           ///< [voted, classes]
  std::vector<float> entropies_;
  std::vector<std::uint16_t> counts_;
};

}  // namespace pointtree::perception

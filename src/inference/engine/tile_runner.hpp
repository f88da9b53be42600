// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "linear_call.hpp"

namespace pointtree::inference::engine {

/// Runs layers on one tile of rows after the other, small enough that what lies between two layers
/// stays in the second-level cache. Every worker has its own scratch memory.
class TileRunner {
 public:
  TileRunner(const std::vector<PackedLinear>& layers, Context& context);

  /// Most rows of a tile.
  std::size_t rows() const { return rows_; }

  /// Runs all layers but the last on a tile and gives the last one's operand, laid out in the
  /// worker's memory.
  Operand run(const Rows& tile, int worker) const;

 private:
  std::byte* scratch(int worker) const {
    return operands_ + static_cast<std::size_t>(worker) * operand_bytes_;
  }
  // The operand of the first layer that is multiplied.
  Operand start(const Rows& tile, std::byte* place) const;
  Operand make_operand(std::size_t layer, const Rows& in, std::byte* place) const;
  Rows multiply(std::size_t layer, const Operand& operand, std::size_t count, int worker) const;

  const std::vector<PackedLinear>& layers_;
  const Kernels& kernels_;
  std::size_t first_;  // layer that is multiplied: the second where the first is thin
  std::size_t width_ = 1;
  std::size_t rows_ = 0;
  std::size_t operand_bytes_ = 0;
  float* results_ = nullptr;
  std::byte* operands_ = nullptr;
};

}  // namespace pointtree::inference::engine

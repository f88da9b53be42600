#pragma once

#include <cstddef>
#include <cstdint>

#include "panel_product.hpp"

namespace pointtree::inference::engine {

/// Neighbouring rows that are described by how they differ from the middle one of them.
inline constexpr std::size_t kScreenBlock = 32;

/// Rows that are looked at again together.
inline constexpr std::size_t kScreenGroup = 4;
inline constexpr std::size_t kScreenBlockGroups = kScreenBlock / kScreenGroup;

/// Outputs that are screened at once: two panels.
inline constexpr std::size_t kScreenWidth = 2 * kPanelWidth;

/// Depths are padded to a multiple of this.
inline constexpr std::size_t kScreenDepth = 32;

/// How far the coarse product of a group's rows with a column may lie from the true one: at most
/// rounding · column size + length · column loss.
struct GroupError {
  float rounding;
  float length;
};

/// Rows of one block as float32, and the row in its middle.
struct ScreenBlock {
  const float* rows = nullptr;  ///< [kScreenBlock, in]
  std::size_t stride = 0;
  std::size_t in = 0;
  std::size_t depth = 0;  ///< of the coarse rows: `in` rounded up
  const float* middle = nullptr;
};

/// Blocks of rows times two panels in bfloat16.
struct ScreenProduct {
  const std::uint16_t* rows = nullptr;  ///< [blocks, depth / 32, kScreenBlock, 32]
  std::size_t blocks = 0;
  std::size_t depth = 0;
  const std::uint16_t* panels = nullptr;  ///< [2, depth / 2, 16, 2]
  const float* middles = nullptr;         ///< [blocks, kScreenWidth]: the middle rows' outputs
  std::size_t middle_stride = 0;
  const GroupError* errors = nullptr;  ///< one per group
  const float* sizes = nullptr;        ///< per column, see CoarseLinear
  const float* losses = nullptr;       ///< per column
  const float* best = nullptr;         ///< per column: what an output must exceed
};

/// A group and those of its columns, one bit each, that may exceed the best.
struct HopefulGroup {
  std::uint32_t group;
  std::uint32_t columns;
};

/// The arithmetic of ScreenedMax.
struct Screening {
  /// A block's rows less its middle row, as bfloat16, [depth / 32, kScreenBlock, 32], and the error
  /// that this causes.
  void (*subtract_middle)(const ScreenBlock& block, std::uint16_t* rows, GroupError* errors);
  /// Upper bounds of every group's largest outputs, [groups, kScreenWidth], and the list of groups
  /// for which one is above the best. Gives the length of the list.
  std::size_t (*list_hopeful)(const ScreenProduct& product, float* bounds, HopefulGroup* list);
  /// The largest product of a group's rows with one row of weights.
  float (*largest_dot)(const float* rows, std::size_t stride, const float* weights,
                       std::size_t width);
};

/// A bound on what rounding takes from sums and products of float32 `depth` deep: in the coarse
/// product, in the middle row's outputs and in the outputs that are computed again, per unit of the
/// rows' and the weights' lengths.
inline float screening_slack(std::size_t depth) {
  constexpr float kUnitRoundoff = 0x1p-24F;
  const std::size_t roundings = depth + depth / 16 + 64;
  return kUnitRoundoff * static_cast<float>(roundings);
}

}  // namespace pointtree::inference::engine

#pragma once

#include <cstddef>

#include "arena.hpp"
#include "kernels.hpp"
#include "packed_linear.hpp"
#include "team.hpp"

namespace pointtree::model::engine {

/// What a call computes with: its threads, its scratch memory and the processor's kernels.
struct Context {
  Team& team;
  Arena& arena;
  const Kernels& kernels;
};

/// Features of many nodes or points, one per row.
struct Rows {
  const float* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;

  const float* row(std::size_t index) const { return data + index * stride; }
};

/// Where a linear map's results go and what joins them on the way; see PanelProduct.
struct LinearTarget {
  float* out = nullptr;
  std::size_t out_stride = 0;
  RowMerge merge = RowMerge::none;
  const float* before = nullptr;  ///< one row per pair of input rows
  std::size_t before_stride = 0;
  const float* after = nullptr;  ///< one row of `after_width` values per input row
  std::size_t after_stride = 0;
  std::size_t after_width = 0;

  /// The target of the rows from `row` on, which must be even where rows are paired.
  LinearTarget from_row(std::size_t row) const;
};

/// Rows in the form that a map's kernel multiplies: as they are, as tiles without their zeros, or
/// quantised.
class Operand {
 public:
  /// Scratch bytes that `rows` rows need; `has_zeros` tells that they come out of a ReLU.
  static std::size_t scratch_bytes(const PackedLinear& map, std::size_t rows, bool has_zeros);

  /// Lays the rows out for `map` in scratch memory without filling it yet.
  Operand(const PackedLinear& map, const Rows& rows, bool has_zeros, std::byte* scratch);

  /// Converts rows [first, last); `first` is a multiple of kTileRows.
  void convert(const Kernels& kernels, std::size_t first, std::size_t last);

  /// Multiplies rows [first, last) with panels [first_panel, last_panel); `target` is that of row
  /// 0 and `first` a multiple of kTileRows.
  void multiply(const Kernels& kernels, std::size_t first, std::size_t last,
                std::size_t first_panel, std::size_t last_panel, const LinearTarget& target) const;

  /// out[c] = max(out[c], output c of every row); approximate for maps with rows, see coarse_max.
  void maximum(const Kernels& kernels, float* out) const;

 private:
  PanelProduct product(std::size_t first, std::size_t last, std::size_t panel) const;

  const PackedLinear& map_;
  Rows rows_;
  CompressedTiles tiles_;          // where zeros are left out
  std::uint8_t* steps_ = nullptr;  // [rows, depth], int8 only
  float* scale_ = nullptr;
  float* offset_ = nullptr;
};

/// Applies a linear map to all rows with all threads.
void apply(const PackedLinear& map, const Rows& in, const LinearTarget& target, Context& context);

}  // namespace pointtree::model::engine

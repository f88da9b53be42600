// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "arena.hpp"
#include "kernels.hpp"
#include "packed_linear.hpp"
#include "thread_pool.hpp"

namespace pointtree::inference::engine {

/// What a call computes with: its threads, its scratch memory and the processor's kernels.
struct Context {
  ThreadPool& pool;
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

  /// The target of the rows from `row` on, which must be even where rows are paired.
  LinearTarget from_row(std::size_t row) const;
};

/// Rows in the form that a map's kernel multiplies: as they are, or quantised.
class Operand {
 public:
  /// Scratch bytes that `rows` rows need.
  static std::size_t scratch_bytes(const PackedLinear& map, std::size_t rows);

  /// Lays the rows out for `map` in scratch memory without filling it yet.
  Operand(const PackedLinear& map, const Rows& rows, std::byte* scratch);

  /// Converts rows [first, last), each to 7 bits over its own range where the map is int8.
  void convert(const Kernels& kernels, std::size_t first, std::size_t last);

  /// Whether convert_thin can make this map's operand out of the rows of `thin`.
  static bool takes_thin(const PackedLinear& thin, const PackedLinear& map);

  /// Converts the results of a thin layer on `in`, which are not stored; the operand's own rows
  /// are not looked at.
  void convert_thin(const Kernels& kernels, const PackedLinear& thin, const Rows& in);

  /// Multiplies rows [first, last) with panels [first_panel, last_panel); `target` is that of row
  /// 0.
  void multiply(const Kernels& kernels, std::size_t first, std::size_t last,
                std::size_t first_panel, std::size_t last_panel, const LinearTarget& target) const;

 private:
  // A product of rows [first, last), with the panel still to be selected.
  PanelProduct product(std::size_t first, std::size_t last) const;

  const PackedLinear* map_;
  Rows rows_;
  std::uint8_t* steps_ = nullptr;  // [rows, depth], int8 only
  Range* ranges_ = nullptr;
};

/// Applies a linear map to all rows with all threads.
void apply(const PackedLinear& map, const Rows& in, const LinearTarget& target, Context& context);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointtree::inference::engine {

/// Columns of one packed panel: two 8-lane vectors, the widest tile that six rows leave registers
/// for.
inline constexpr std::size_t kPanelWidth = 16;

/// Depth steps that the int8 kernel sums in 16 bits before it widens to 32.
inline constexpr std::size_t kInt8Group = 16;

/// Largest quantised activation: seven bits, so that 16-bit sums of products cannot overflow.
inline constexpr int kInt8ActivationMax = 127;

/// How rows of a product are merged before they are stored.
enum class RowMerge {
  none,   ///< one output row per input row
  pairs,  ///< maximum over rows 2i and 2i + 1
  all,    ///< maximum over all rows and what the one output row already holds
};

/// The smallest and the largest of some values, and their mean.
struct Range {
  float low;
  float high;
  float mean;
};

/// A row block times adjacent packed panels, and what is done to the product while it is in
/// registers: out = merge(activation(a · panels + bias + before)).
struct PanelProduct {
  const void* a = nullptr;   ///< [rows, depth]: float32, or the int8 kernel's uint8
  std::size_t a_stride = 0;  ///< in elements
  std::size_t rows = 0;
  const void* panel = nullptr;  ///< the first: [depth, 16] in the kernel's own layout
  std::size_t panel_bytes = 0;  ///< from one panel to the next
  std::size_t panels = 1;
  std::size_t depth = 0;
  const float* bias = nullptr;  ///< 16 values per panel, like everything that is per column
  float slope = 1.0F;           ///< of the activation below zero: 1 none, 0 ReLU, else PReLU
  RowMerge merge = RowMerge::none;
  float* out = nullptr;
  std::size_t out_stride = 0;
  std::size_t columns = kPanelWidth;  ///< of all panels, those that exist

  const float* before = nullptr;  ///< optional; rows 2i and 2i + 1 both take its row i
  std::size_t before_stride = 0;

  // int8 only: a ≈ low + (high − low) / 127 · q and weight ≈ column_scale · q. What rounding took
  // from the weights is given back to the row's mean; only what differs from the mean misses it.
  const Range* ranges = nullptr;        ///< one per row
  const float* column_scale = nullptr;  ///< per column
  const float* column_sum = nullptr;    ///< per column: the sum of its rounded weights
  const float* column_rest = nullptr;   ///< per column: the sum of what rounding took from them

  /// The product with panels [first, first + count) of these.
  PanelProduct part(std::size_t first, std::size_t count) const {
    const std::size_t column = first * kPanelWidth;
    const std::size_t left = columns > column ? columns - column : 0;
    PanelProduct p = *this;
    p.panel = static_cast<const std::byte*>(panel) + first * panel_bytes;
    p.panels = count;
    p.bias += column;
    p.out += first * kPanelWidth;
    p.columns = left < count * kPanelWidth ? left : count * kPanelWidth;
    if (before != nullptr) p.before += column;
    if (column_scale != nullptr) {
      p.column_scale += column;
      p.column_sum += column;
      p.column_rest += column;
    }
    return p;
  }
};

}  // namespace pointtree::inference::engine

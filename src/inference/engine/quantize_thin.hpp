// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include "kernels.hpp"
#include "simd_vector.hpp"

namespace pointtree::inference::engine {
namespace {

inline Row minimum(const Row& x, const Row& y) {
  return row_of([&](std::size_t i) { return x.part[i] < y.part[i] ? x.part[i] : y.part[i]; });
}

// Sixteen outputs of a thin layer for one row.
inline Row thin_outputs(const PanelProduct& p, const float* x, const float* panel,
                        const float* bias) {
  Row sum = load_row(bias);
  for (std::size_t k = 0; k < p.depth; ++k) {
    add_scaled(sum, x[k], load_row(panel + k * kPanelWidth));
  }
  return activate(sum, p.slope);
}

// One row of outputs and their range.
inline Range thin_row(const PanelProduct& p, const float* x, std::size_t width, float* outputs) {
  const auto* panel = static_cast<const float*>(p.panel);
  Row low = thin_outputs(p, x, panel, p.bias);
  Row high = low;
  Row sum = low;
  store_row(outputs, low, kPanelWidth);
  for (std::size_t c = kPanelWidth; c < width; c += kPanelWidth) {
    const Row row = thin_outputs(p, x, panel + c * p.depth, p.bias + c);
    store_row(outputs + c, row, kPanelWidth);
    low = minimum(low, row);
    high = maximum(high, row);
    add(sum, row);
  }
  float lows[kPanelWidth];
  float highs[kPanelWidth];
  float sums[kPanelWidth];
  store_row(lows, low);
  store_row(highs, high);
  store_row(sums, sum);
  Range range{lows[0], highs[0], sums[0]};
  for (std::size_t c = 1; c < kPanelWidth; ++c) {
    range = {lows[c] < range.low ? lows[c] : range.low,
             highs[c] > range.high ? highs[c] : range.high, range.mean + sums[c]};
  }
  range.mean /= static_cast<float>(width);
  return range;
}

// The outputs of a row stay in the first-level cache between the two steps.
template <decltype(Kernels::quantize_row) kQuantizeRow>
void quantize_thin(const PanelProduct& first, std::size_t width, std::size_t depth, std::uint8_t* q,
                   Range* ranges) {
  float outputs[kThinWidth];
  for (std::size_t r = 0; r < first.rows; ++r) {
    const float* x = static_cast<const float*>(first.a) + r * first.a_stride;
    ranges[r] = thin_row(first, x, width, outputs);
    kQuantizeRow(outputs, width, depth, ranges[r], q + r * depth);
  }
}

}  // namespace
}  // namespace pointtree::inference::engine

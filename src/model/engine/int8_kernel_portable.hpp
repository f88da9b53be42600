// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include "lanes.hpp"

namespace pointtree::model::engine {
namespace {

// The same numbers as the vector kernel, one dot product at a time.
inline std::int32_t int8_dot(const std::uint8_t* a, const std::int8_t* panel, std::size_t depth,
                             std::size_t column) {
  const std::int8_t* weights = panel + column * 4;
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < depth; ++k) sum += a[k] * weights[k / 4 * 64 + k % 4];
  return sum;
}

// The products of a row with eight columns from `column` on, out of their integer form.
inline Lanes dequantize(const PanelProduct& p, std::size_t row, std::size_t column, Lanes dots) {
  const Range& range = p.ranges[row];
  const float scale = (range.high - range.low) * (1.0F / kInt8ActivationMax);
  return dots * (load(p.column_scale + column) * scale) + load(p.column_sum + column) * range.low +
         load(p.column_rest + column) * range.mean;
}

[[maybe_unused]] inline void int8_row(const PanelProduct& p, std::size_t row, Row& sum) {
  const auto* a = static_cast<const std::uint8_t*>(p.a) + row * p.a_stride;
  float dots[kPanelWidth];
  for (std::size_t c = 0; c < kPanelWidth; ++c) {
    dots[c] = static_cast<float>(int8_dot(a, static_cast<const std::int8_t*>(p.panel), p.depth, c));
  }
  sum = {dequantize(p, row, 0, load(dots)), dequantize(p, row, 8, load(dots + 8))};
}

[[maybe_unused]] void dot_int8_portable(const std::uint8_t* rows, std::size_t depth,
                                        const std::int8_t* weights, std::int32_t* dots) {
  for (std::size_t r = 0; r < 3; ++r) {
    dots[r] = 0;
    for (std::size_t k = 0; k < depth; ++k) dots[r] += rows[r * depth + k] * weights[k];
  }
}

[[maybe_unused]] void multiply_int8_portable(const PanelProduct& p) {
  Row running = {};
  if (p.merge == RowMerge::all) running = load_row(p.out, p.columns);
  std::size_t row = 0;
  for (; row + 2 <= p.rows; row += 2) {
    Row pair[2];
    int8_row(p, row, pair[0]);
    int8_row(p, row + 1, pair[1]);
    finish_tile<2>(p, row, pair, running);
  }
  if (row < p.rows) {
    Row last[1];
    int8_row(p, row, last[0]);
    finish_tile<1>(p, row, last, running);
  }
  if (p.merge == RowMerge::all) store_row(p.out, running, p.columns);
}

}  // namespace
}  // namespace pointtree::model::engine

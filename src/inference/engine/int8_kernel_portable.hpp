// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include "tiles.hpp"

namespace pointtree::inference::engine {
namespace {

// The same numbers as the vector kernel, one dot product at a time.
inline std::int32_t int8_dot(const std::uint8_t* a, const std::int8_t* panel, std::size_t depth,
                             std::size_t column) {
  const std::int8_t* weights = panel + column * 4;
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < depth; ++k) sum += a[k] * weights[k / 4 * 64 + k % 4];
  return sum;
}

// The products of a row with the 16 columns of a panel, out of their integer form.
inline Row dequantize(const PanelProduct& p, std::size_t panel, std::size_t row, const Row& dots) {
  const Range& range = p.ranges[row];
  const float scale = (range.high - range.low) * (1.0F / kInt8ActivationMax);
  return row_of([&](std::size_t i) {
    const std::size_t column = panel * kPanelWidth + i * kSimdWidth;
    return dots.part[i] * (load(p.column_scale + column) * scale) +
           load(p.column_sum + column) * range.low + load(p.column_rest + column) * range.mean;
  });
}

[[maybe_unused]] inline void int8_row(const PanelProduct& p, std::size_t row, Row& sum) {
  const auto* a = static_cast<const std::uint8_t*>(p.a) + row * p.a_stride;
  float dots[kPanelWidth];
  for (std::size_t c = 0; c < kPanelWidth; ++c) {
    dots[c] = static_cast<float>(int8_dot(a, static_cast<const std::int8_t*>(p.panel), p.depth, c));
  }
  sum = dequantize(p, 0, row, load_row(dots));
}

[[maybe_unused]] void multiply_int8_portable(const PanelProduct& all) {
  for (std::size_t panel = 0; panel < all.panels; ++panel) {
    const PanelProduct p = all.part(panel, 1);
    Row running[1];
    load_maxima(p, running);
    for_each_tile<2>(p, 0, [&](auto rows, std::size_t row) {
      Row sum[rows.value];
      for (int r = 0; r < rows.value; ++r) int8_row(p, row + r, sum[r]);
      finish_tile<rows.value>(p, 0, row, sum, running[0]);
    });
    store_maxima(p, running);
  }
}

}  // namespace
}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include <type_traits>

#include "simd_vector.hpp"

namespace pointtree::inference::engine {
namespace {

// Bytes ahead of the current step that the weights are fetched; covers the latency of memory, which
// bounds layers with few rows.
constexpr std::size_t kPrefetchBytes = 4096;

// The largest tile that the registers hold: rows, and panels side by side. Rows are even, so pairs
// never straddle tiles.
#if defined(__AVX512F__)
constexpr int kTallTile = 12;
constexpr int kPanelsAtOnce = 2;
#elif defined(__aarch64__)
constexpr int kTallTile = 4;
constexpr int kPanelsAtOnce = 1;
#else
constexpr int kTallTile = 6;
constexpr int kPanelsAtOnce = 1;
#endif

// A number as a type.
template <int kValue>
using Number = std::integral_constant<int, kValue>;

// Calls work(product, number) for kAtOnce panels at a time, then for each that is left.
template <int kAtOnce, typename Work>
inline void for_each_panels(const PanelProduct& p, const Work& work) {
  std::size_t panel = 0;
  for (; panel + kAtOnce <= p.panels; panel += kAtOnce) {
    work(p.part(panel, kAtOnce), Number<kAtOnce>{});
  }
  for (; panel < p.panels; ++panel) work(p.part(panel, 1), Number<1>{});
}

// Calls tile(rows, row) for the last rows of a product, fewer than kRows + 1.
template <int kRows, typename Tile>
inline void last_tile(std::size_t rows, std::size_t row, const Tile& tile) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      tile(Number<kRows>{}, row);
    } else {
      last_tile<kRows - 1>(rows, row, tile);
    }
  }
}

// Calls tile(rows, row) for tiles of kRows rows from `row` on and what is left.
template <int kRows, typename Tile>
inline void for_each_tile(const PanelProduct& p, std::size_t row, const Tile& tile) {
  for (; p.rows - row >= kRows; row += kRows) tile(Number<kRows>{}, row);
  last_tile<kRows - 1>(p.rows - row, row, tile);
}

// The maxima over rows that each panel's outputs hold, where there are any.
template <int kPanels>
inline void load_maxima(const PanelProduct& p, Row (&running)[kPanels]) {
  for (std::size_t i = 0; i < kPanels; ++i) {
    running[i] = {};
    if (p.merge != RowMerge::all) continue;
    running[i] = load_row(p.out + i * kPanelWidth, p.columns - i * kPanelWidth);
  }
}

template <int kPanels>
inline void store_maxima(const PanelProduct& p, const Row (&running)[kPanels]) {
  if (p.merge != RowMerge::all) return;
  for (std::size_t i = 0; i < kPanels; ++i) {
    store_row(p.out + i * kPanelWidth, running[i], p.columns - i * kPanelWidth);
  }
}

// Finishes a tile that spans panels.
template <int kRows, int kPanels>
inline void finish_tiles(const PanelProduct& p, std::size_t row, Row (&sum)[kPanels][kRows],
                         Row (&running)[kPanels]) {
#pragma GCC unroll 4
  for (int i = 0; i < kPanels; ++i) finish_tile<kRows>(p, i, row, sum[i], running[i]);
}

}  // namespace
}  // namespace pointtree::inference::engine

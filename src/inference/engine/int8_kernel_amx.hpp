// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for AMX.
#pragma once

#include <immintrin.h>

#include "int8_kernel_avx512.hpp"

namespace pointtree::inference::engine {
namespace {

// A tile register holds 16 rows of 64 bytes: 16 rows × 64 steps of activations, 64 steps × 16
// columns of weights, exactly as panels are packed, or 16 × 16 sums.
constexpr std::size_t kAmxRows = 16;
constexpr std::size_t kAmxDepth = 64;

struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// A thread's tile registers for the length of a product.
class TileRegisters {
 public:
  TileRegisters() {
    const TileShapes shapes;
    _tile_loadconfig(&shapes);
  }
  ~TileRegisters() { _tile_release(); }
  TileRegisters(const TileRegisters&) = delete;
  TileRegisters& operator=(const TileRegisters&) = delete;
};

// kHigh · 16 rows × kPanels · 16 columns, of which registers 0 to 3 hold the sums.
template <int kHigh, int kPanels>
inline void amx_tile(const PanelProduct& p, std::size_t row, Row (&running)[kPanels]) {
  const auto* a = static_cast<const std::uint8_t*>(p.a) + row * p.a_stride;
  const auto* weights = static_cast<const std::byte*>(p.panel);
  constexpr std::size_t kBlock = kAmxDepth * kPanelWidth;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t k = 0; k < p.depth; k += kAmxDepth, weights += kBlock) {
    _tile_loadd(4, a + k, p.a_stride);
    _tile_loadd(6, weights, 64);
    _tile_dpbusd(0, 4, 6);
    if constexpr (kPanels == 2) {
      _tile_loadd(7, weights + p.panel_bytes, 64);
      _tile_dpbusd(1, 4, 7);
    }
    if constexpr (kHigh == 2) {
      _tile_loadd(5, a + kAmxRows * p.a_stride + k, p.a_stride);
      _tile_dpbusd(2, 5, 6);
    }
    if constexpr (kHigh == 2 && kPanels == 2) _tile_dpbusd(3, 5, 7);
  }
  alignas(64) std::int32_t dots[2][2][kAmxRows][kPanelWidth];
  _tile_stored(0, dots[0][0], 64);
  if constexpr (kPanels == 2) _tile_stored(1, dots[0][1], 64);
  if constexpr (kHigh == 2) _tile_stored(2, dots[1][0], 64);
  if constexpr (kHigh == 2 && kPanels == 2) _tile_stored(3, dots[1][1], 64);
  constexpr int kRows = 8;
  for (std::size_t first = 0; first < kHigh * kAmxRows; first += kRows) {
    Row sum[kPanels][kRows];
    for (int i = 0; i < kPanels; ++i) {
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto& row_dots = dots[first / kAmxRows][i][first % kAmxRows + r];
        sum[i][r] = {{_mm512_cvtepi32_ps(_mm512_load_si512(row_dots))}};
      }
    }
    finish_dots<kRows>(p, row + first, sum, running);
  }
}

// Tile registers for whole blocks of rows, the vector kernel for the rest.
template <int kPanels>
inline void amx_panels(const PanelProduct& p) {
  Row running[kPanels];
  load_maxima(p, running);
  std::size_t row = 0;
  for (; row + 2 * kAmxRows <= p.rows; row += 2 * kAmxRows) amx_tile<2>(p, row, running);
  for (; row + kAmxRows <= p.rows; row += kAmxRows) amx_tile<1>(p, row, running);
  for_each_tile<kTallTile>(
      p, row, [&](auto rows, std::size_t first) { int8_tile<rows.value>(p, first, running); });
  store_maxima(p, running);
}

void multiply_int8_amx(const PanelProduct& p) {
  if (p.rows < kAmxRows || p.depth % kAmxDepth != 0) {
    multiply_int8_avx512(p);
    return;
  }
  const TileRegisters registers;
  for_each_panels<kPanelsAtOnce>(
      p, [](const PanelProduct& some, auto panels) { amx_panels<panels.value>(some); });
}

}  // namespace
}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for AVX-512 with VNNI.
#pragma once

#include <immintrin.h>

#include "int8_kernel_portable.hpp"

namespace pointtree::inference::engine {
namespace {

inline __m512i four_steps(const std::uint8_t* steps) {
  std::int32_t word;
  std::memcpy(&word, steps, sizeof(word));
  return _mm512_set1_epi32(word);
}

// Adds to each of 16 sums the products of four steps with four weights. The intrinsic of the same
// meaning makes the compiler copy every sum to and fro.
inline void add_products(__m512i& sums, __m512i steps, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(steps), "v"(weights));
}

// Kept apart from the loop over the depth, whose sums leave no register for anything else.
template <int kRows, int kPanels>
__attribute__((noinline)) void finish_dots(const PanelProduct& p, std::size_t row,
                                           Row (&sum)[kPanels][kRows], Row (&running)[kPanels]) {
  for (int i = 0; i < kPanels; ++i) {
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) sum[i][r] = dequantize(p, i, row + r, sum[i][r]);
    finish_tile<kRows>(p, i, row, sum[i], running[i]);
  }
}

// kRows × kPanels · 16 dot products; one instruction takes four steps of 16 columns, and sums them
// in 32 bits at once.
template <int kRows, int kPanels>
inline void int8_tile(const PanelProduct& p, std::size_t row, Row (&running)[kPanels]) {
  const auto* a = static_cast<const std::uint8_t*>(p.a) + row * p.a_stride;
  const std::size_t stride = p.a_stride;
  const auto* weights = static_cast<const std::byte*>(p.panel);
  __m512i dots[kPanels][kRows] = {};
  for (std::size_t k = 0; k < p.depth; k += 4, weights += sizeof(__m512i)) {
    __m512i w[kPanels];
#pragma GCC unroll 2
    for (int i = 0; i < kPanels; ++i) {
      w[i] = _mm512_loadu_si512(weights + i * p.panel_bytes);
      __builtin_prefetch(weights + i * p.panel_bytes + kPrefetchBytes);
    }
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      const __m512i x = four_steps(a + r * stride + k);
#pragma GCC unroll 2
      for (int i = 0; i < kPanels; ++i) add_products(dots[i][r], x, w[i]);
    }
  }
  Row sum[kPanels][kRows];
#pragma GCC unroll 2
  for (int i = 0; i < kPanels; ++i) {
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) sum[i][r] = {{_mm512_cvtepi32_ps(dots[i][r])}};
  }
  finish_dots<kRows>(p, row, sum, running);
}

void multiply_int8_avx512(const PanelProduct& p) {
  for_each_panels<kPanelsAtOnce>(p, [](const PanelProduct& some, auto panels) {
    Row running[panels.value];
    load_maxima(some, running);
    for_each_tile<kTallTile>(
        some, 0, [&](auto rows, std::size_t row) { int8_tile<rows.value>(some, row, running); });
    store_maxima(some, running);
  });
}

}  // namespace
}  // namespace pointtree::inference::engine

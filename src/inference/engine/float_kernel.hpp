// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "tiles.hpp"

namespace pointtree::inference::engine {
namespace {

// One step of the depth loop: 16 weights as float32.
struct FloatPanel {
  static constexpr std::size_t kBytesPerStep = kPanelWidth * sizeof(float);
  static inline Row weights(const std::byte* step) {
    return load_row(reinterpret_cast<const float*>(step));
  }
};

// 16 weights as bfloat16, the second eight in the upper halves of the words of the first eight, so
// that both unpack with one instruction.
struct BfloatPanel {
  using Words = std::uint32_t __attribute__((vector_size(kSimdWidth * 4)));
  using UnalignedWords =
      std::uint32_t __attribute__((vector_size(kSimdWidth * 4), aligned(4), may_alias));
  static constexpr std::size_t kBytesPerStep = kPanelWidth * sizeof(std::uint16_t);
  static inline Row weights(const std::byte* step) {
#if defined(__AVX512F__)
    using AllWords = std::uint32_t __attribute__((vector_size(64)));
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(step));
    const auto both = reinterpret_cast<AllWords>(_mm512_broadcast_i64x4(words));
    constexpr AllWords kShifts{16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0};
    return {{reinterpret_cast<SimdVector>((both << kShifts) & 0xffff0000U)}};
#else
    return row_of([&](std::size_t i) {
      const std::byte* words = step + i % (kParts / 2) * sizeof(Words);
      const Words both = *reinterpret_cast<const UnalignedWords*>(words);
      return reinterpret_cast<SimdVector>(i < kParts / 2 ? both << 16 : both & 0xffff0000U);
    });
#endif
  }
};

// kRows × kPanels · 16 outputs: per step the panels' weights, kRows broadcasts, and a multiply-add
// for each row and register of weights.
template <typename Panel, int kRows, int kPanels>
inline void float_tile(const PanelProduct& p, std::size_t row, Row (&running)[kPanels]) {
  const float* a = static_cast<const float*>(p.a) + row * p.a_stride;
  const std::size_t stride = p.a_stride;
  const auto* step = static_cast<const std::byte*>(p.panel);
  Row sum[kPanels][kRows] = {};
  for (std::size_t k = 0; k < p.depth; ++k, step += Panel::kBytesPerStep) {
    Row weights[kPanels];
#pragma GCC unroll 2
    for (int i = 0; i < kPanels; ++i) {
      weights[i] = Panel::weights(step + i * p.panel_bytes);
      __builtin_prefetch(step + i * p.panel_bytes + kPrefetchBytes);
    }
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      const float x = a[r * stride + k];
#pragma GCC unroll 2
      for (int i = 0; i < kPanels; ++i) add_scaled(sum[i][r], x, weights[i]);
    }
  }
  finish_tiles<kRows>(p, row, sum, running);
}

template <typename Panel>
void multiply_float(const PanelProduct& p) {
  for_each_panels<kPanelsAtOnce>(p, [](const PanelProduct& some, auto panels) {
    Row running[panels.value];
    load_maxima(some, running);
    for_each_tile<kTallTile>(some, 0, [&](auto rows, std::size_t row) {
      float_tile<Panel, rows.value>(some, row, running);
    });
    store_maxima(some, running);
  });
}

}  // namespace
}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for the bfloat16 extension.
#pragma once

#include <arm_neon.h>

#include "float_kernel.hpp"

namespace pointtree::inference::engine {
namespace {

// Adds two steps of kRows rows, of which x holds four: one instruction takes two steps of four
// columns. A word of the panel has columns c and c + 8 of one step; a transposition makes it two
// steps of one column.
template <int kPair, int kRows>
inline void add_pair(const bfloat16x4_t (&x)[kRows], const std::byte* step, Row (&sum)[kRows]) {
  const auto* words = reinterpret_cast<const std::uint16_t*>(step + kPair * 4 * kPanelWidth);
  const uint16x8_t first[2] = {vld1q_u16(words), vld1q_u16(words + 8)};
  const uint16x8_t second[2] = {vld1q_u16(words + 16), vld1q_u16(words + 24)};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const bfloat16x8_t w = vreinterpretq_bf16_u16(i < 2 ? vtrn1q_u16(first[i % 2], second[i % 2])
                                                        : vtrn2q_u16(first[i % 2], second[i % 2]));
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      sum[r].part[i] = vbfdotq_lane_f32(sum[r].part[i], w, x[r], kPair);
    }
  }
}

template <int kRows>
inline void bfdot_tile(const PanelProduct& p, std::size_t row, Row& running) {
  const float* a = static_cast<const float*>(p.a) + row * p.a_stride;
  const auto* step = static_cast<const std::byte*>(p.panel);
  Row sum[kRows] = {};
  std::size_t k = 0;
  for (; k + 4 <= p.depth; k += 4, step += 4 * BfloatPanel::kBytesPerStep) {
    __builtin_prefetch(step + kPrefetchBytes);
    __builtin_prefetch(step + kPrefetchBytes + 64);
    bfloat16x4_t x[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) x[r] = vcvt_bf16_f32(vld1q_f32(a + r * p.a_stride + k));
    add_pair<0>(x, step, sum);
    add_pair<1>(x, step, sum);
  }
  for (; k < p.depth; ++k, step += BfloatPanel::kBytesPerStep) {
    const Row weights = BfloatPanel::weights(step);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) add_scaled(sum[r], a[r * p.a_stride + k], weights);
  }
  finish_tile<kRows>(p, 0, row, sum, running);
}

void multiply_bfdot(const PanelProduct& p) {
  for_each_panels<1>(p, [](const PanelProduct& panel, auto) {
    Row running[1];
    load_maxima(panel, running);
    for_each_tile<kTallTile>(panel, 0, [&](auto rows, std::size_t row) {
      bfdot_tile<rows.value>(panel, row, running[0]);
    });
    store_maxima(panel, running);
  });
}

}  // namespace
}  // namespace pointtree::inference::engine

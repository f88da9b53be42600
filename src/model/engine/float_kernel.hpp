// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include "lanes.hpp"

namespace pointtree::model::engine {
namespace {

// Bytes ahead of the current step that the weights are fetched; covers the latency of memory, which
// bounds layers with few rows.
constexpr std::size_t kPrefetchBytes = 1024;

// One step of the depth loop: 16 weights as float32.
struct FloatPanel {
  static constexpr std::size_t kBytesPerStep = kPanelWidth * sizeof(float);
  static inline Row weights(const std::byte* step) {
    const auto* values = reinterpret_cast<const float*>(step);
    return {load(values), load(values + 8)};
  }
};

// 16 weights as bfloat16, the second eight in the upper halves of the words of the first eight, so
// that both unpack with one instruction.
struct BfloatPanel {
  using Words = std::uint32_t __attribute__((vector_size(32)));
  using UnalignedWords = std::uint32_t __attribute__((vector_size(32), aligned(4), may_alias));
  static constexpr std::size_t kBytesPerStep = kPanelWidth * sizeof(std::uint16_t);
  static inline Row weights(const std::byte* step) {
    const Words words = *reinterpret_cast<const UnalignedWords*>(step);
    return {reinterpret_cast<Lanes>(words << 16), reinterpret_cast<Lanes>(words & 0xffff0000U)};
  }
};

// kRows × 16 outputs: per step 2 weight vectors, kRows broadcasts, 2·kRows multiply-adds.
template <typename Panel, int kRows>
inline void float_tile(const PanelProduct& p, std::size_t row, Row& running) {
  const float* a = static_cast<const float*>(p.a) + row * p.a_stride;
  const std::size_t stride = p.a_stride;
  const auto* step = static_cast<const std::byte*>(p.panel);
  Row sum[kRows] = {};
  for (std::size_t k = 0; k < p.depth; ++k, step += Panel::kBytesPerStep) {
    const Row weights = Panel::weights(step);
    __builtin_prefetch(step + kPrefetchBytes);
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
      const float x = a[r * stride + k];
      sum[r].low += x * weights.low;
      sum[r].high += x * weights.high;
    }
  }
  finish_tile<kRows>(p, row, sum, running);
}

// The whole row block: tiles of six rows, then the rest. Six is even, so pairs never straddle
// tiles; eight rows go as four and four, which streams the weights more evenly than six and two.
template <typename Panel>
void multiply_float(const PanelProduct& p) {
  Row running = {};
  if (p.merge == RowMerge::all) running = load_row(p.out, p.columns);
  std::size_t row = 0;
  while (p.rows - row >= 6 && p.rows - row != 8) {
    float_tile<Panel, 6>(p, row, running);
    row += 6;
  }
  if (p.rows - row >= 4) {
    float_tile<Panel, 4>(p, row, running);
    row += 4;
  }
  switch (p.rows - row) {
    case 4:
      float_tile<Panel, 4>(p, row, running);
      break;
    case 3:
      float_tile<Panel, 3>(p, row, running);
      break;
    case 2:
      float_tile<Panel, 2>(p, row, running);
      break;
    case 1:
      float_tile<Panel, 1>(p, row, running);
      break;
    default:
      break;
  }
  if (p.merge == RowMerge::all) store_row(p.out, running, p.columns);
}

}  // namespace
}  // namespace pointtree::model::engine

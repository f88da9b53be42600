// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include "lanes.hpp"

namespace pointtree::model::engine {
namespace {

// Bytes ahead of the current step that the weights are fetched; covers the latency of memory, which
// bounds layers with few rows.
constexpr std::size_t kPrefetchBytes = 1024;

// A row count as a type.
template <int kRows>
struct Rest {
  static constexpr int kCount = kRows;
};

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

// The same for tile number row / 6 of compressed tiles.
template <typename Panel, int kRows>
inline void compressed_tile(const PanelProduct& p, std::size_t row, Row& running) {
  const std::size_t first = row / kTileRows * p.depth;
  const std::uint32_t* steps = p.tiles.steps + first;
  const float* values = p.tiles.values + first * kTileRows;
  const auto* panel = static_cast<const std::byte*>(p.panel);
  const std::size_t count = p.tiles.counts[row / kTileRows];
  Row sum[kRows] = {};
  for (std::size_t i = 0; i < count; ++i, values += kTileRows) {
    const std::byte* step = panel + steps[i] * Panel::kBytesPerStep;
    const Row weights = Panel::weights(step);
    __builtin_prefetch(step + kPrefetchBytes);
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
      sum[r].low += values[r] * weights.low;
      sum[r].high += values[r] * weights.high;
    }
  }
  finish_tile<kRows>(p, row, sum, running);
}

// Calls tile<rows>(row) for tiles of six rows and what is left. Six is even, so pairs never
// straddle tiles.
template <typename Tile>
inline void for_each_tile(const PanelProduct& p, const Tile& tile) {
  Row running = {};
  if (p.merge == RowMerge::all) running = load_row(p.out, p.columns);
  std::size_t row = 0;
  for (; p.rows - row >= 6; row += 6) tile(Rest<6>{}, row, running);
  switch (p.rows - row) {
    case 5:
      tile(Rest<5>{}, row, running);
      break;
    case 4:
      tile(Rest<4>{}, row, running);
      break;
    case 3:
      tile(Rest<3>{}, row, running);
      break;
    case 2:
      tile(Rest<2>{}, row, running);
      break;
    case 1:
      tile(Rest<1>{}, row, running);
      break;
    default:
      break;
  }
  if (p.merge == RowMerge::all) store_row(p.out, running, p.columns);
}

template <typename Panel>
void multiply_float(const PanelProduct& p) {
  if (p.rows == 8) {
    // Four and four stream the weights more evenly than six and two.
    PanelProduct half = p;
    half.rows = 4;
    for_each_tile(half, [&](auto, std::size_t, Row& running) {
      float_tile<Panel, 4>(p, 0, running);
      float_tile<Panel, 4>(p, 4, running);
    });
    return;
  }
  for_each_tile(p, [&](auto rows, std::size_t row, Row& running) {
    float_tile<Panel, rows.kCount>(p, row, running);
  });
}

template <typename Panel>
void multiply_compressed(const PanelProduct& p) {
  for_each_tile(p, [&](auto rows, std::size_t row, Row& running) {
    compressed_tile<Panel, rows.kCount>(p, row, running);
  });
}

}  // namespace
}  // namespace pointtree::model::engine

// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "panel_product.hpp"

namespace pointtree::inference::engine {
namespace {

// As many floats as a register of the target holds. On x86-64 without AVX it is twice as many,
// which GCC splits; on AArch64 it would keep them in memory.
#if defined(__AVX512F__)
inline constexpr std::size_t kSimdWidth = 16;
#elif defined(__aarch64__)
inline constexpr std::size_t kSimdWidth = 4;
#else
inline constexpr std::size_t kSimdWidth = 8;
#endif
using SimdVector = float __attribute__((vector_size(kSimdWidth * sizeof(float))));
using UnalignedSimdVector =
    float __attribute__((vector_size(kSimdWidth * sizeof(float)), aligned(4), may_alias));

inline SimdVector load(const float* source) {
  return *reinterpret_cast<const UnalignedSimdVector*>(source);
}

inline void store(float* target, SimdVector value) {
  *reinterpret_cast<UnalignedSimdVector*>(target) = value;
}

inline SimdVector maximum(SimdVector x, SimdVector y) { return x > y ? x : y; }

// The 16 columns of one output row.
inline constexpr std::size_t kParts = kPanelWidth / kSimdWidth;
struct Row {
  SimdVector part[kParts];
};

// A row whose parts are what `make` gives for their numbers.
template <typename Make>
inline Row row_of(const Make& make) {
  Row row;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) row.part[i] = make(i);
  return row;
}

inline Row load_row(const float* source) {
  return row_of([&](std::size_t i) { return load(source + i * kSimdWidth); });
}

inline Row load_row(const float* source, std::size_t columns) {
  if (columns >= kPanelWidth) return load_row(source);
  float values[kPanelWidth] = {};
  std::memcpy(values, source, columns * sizeof(float));
  return load_row(values);
}

inline void store_row(float* target, const Row& row) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) store(target + i * kSimdWidth, row.part[i]);
}

inline void store_row(float* target, const Row& row, std::size_t columns) {
  if (columns >= kPanelWidth) {
    store_row(target, row);
    return;
  }
  float values[kPanelWidth];
  store_row(values, row);
  std::memcpy(target, values, columns * sizeof(float));
}

inline Row maximum(const Row& x, const Row& y) {
  return row_of([&](std::size_t i) { return maximum(x.part[i], y.part[i]); });
}

inline void add(Row& row, const Row& other) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) row.part[i] += other.part[i];
}

inline void add_scaled(Row& row, float x, const Row& other) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) row.part[i] += x * other.part[i];
}

inline Row activate(const Row& row, float slope) {
  return row_of([&](std::size_t i) {
    const SimdVector x = row.part[i];
    return x > 0.0F ? x : x * slope;
  });
}

// Bias, addends, activation and merge of one panel's finished tile, then its way to memory.
template <int kRows>
inline void finish_tile(const PanelProduct& p, std::size_t panel, std::size_t row,
                        Row (&sum)[kRows], Row& running) {
  const std::size_t first = panel * kPanelWidth;
  const std::size_t columns = p.columns - first;
  const Row bias = load_row(p.bias + first);
#pragma GCC unroll 12
  for (int r = 0; r < kRows; ++r) add(sum[r], bias);
  if (p.before != nullptr) {
    for (int r = 0; r < kRows; ++r) {
      add(sum[r], load_row(p.before + (row + r) / 2 * p.before_stride + first, columns));
    }
  }
  if (p.slope != 1.0F) {
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) sum[r] = activate(sum[r], p.slope);
  }
  float* out = p.out + panel * kPanelWidth;
  switch (p.merge) {
    case RowMerge::none:
      for (int r = 0; r < kRows; ++r) store_row(out + (row + r) * p.out_stride, sum[r], columns);
      break;
    case RowMerge::pairs:
      for (int r = 0; r + 1 < kRows; r += 2) {
        store_row(out + (row + r) / 2 * p.out_stride, maximum(sum[r], sum[r + 1]), columns);
      }
      break;
    case RowMerge::all:
#pragma GCC unroll 12
      for (int r = 0; r < kRows; ++r) running = maximum(running, sum[r]);
      break;
  }
}

}  // namespace
}  // namespace pointtree::inference::engine

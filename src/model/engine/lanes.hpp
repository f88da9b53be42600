// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "panel_product.hpp"

namespace pointtree::model::engine {
namespace {

// Eight floats; the compiler lowers them to whatever registers the target has.
using Lanes = float __attribute__((vector_size(32)));
using UnalignedLanes = float __attribute__((vector_size(32), aligned(4), may_alias));

inline Lanes load(const float* source) { return *reinterpret_cast<const UnalignedLanes*>(source); }

inline void store(float* target, Lanes value) {
  *reinterpret_cast<UnalignedLanes*>(target) = value;
}

inline Lanes maximum(Lanes x, Lanes y) { return x > y ? x : y; }

// The 16 columns of one output row.
struct Row {
  Lanes low;
  Lanes high;
};

inline Row load_row(const float* source, std::size_t columns) {
  if (columns >= kPanelWidth) return {load(source), load(source + 8)};
  float values[kPanelWidth] = {};
  std::memcpy(values, source, columns * sizeof(float));
  return {load(values), load(values + 8)};
}

inline void store_row(float* target, const Row& row, std::size_t columns) {
  if (columns >= kPanelWidth) {
    store(target, row.low);
    store(target + 8, row.high);
    return;
  }
  float values[kPanelWidth];
  store(values, row.low);
  store(values + 8, row.high);
  std::memcpy(target, values, columns * sizeof(float));
}

inline Row maximum(const Row& x, const Row& y) {
  return {maximum(x.low, y.low), maximum(x.high, y.high)};
}

inline void add(Row& row, const Row& other) {
  row.low += other.low;
  row.high += other.high;
}

inline Lanes activate(Lanes x, float slope) { return x > 0.0F ? x : x * slope; }

// Bias, addends, activation and merge of one finished tile, then its way to memory.
template <int kRows>
inline void finish_tile(const PanelProduct& p, std::size_t row, Row (&sum)[kRows], Row& running) {
  const Row bias{load(p.bias), load(p.bias + 8)};
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) add(sum[r], bias);
  if (p.before != nullptr) {
    for (int r = 0; r < kRows; ++r) {
      add(sum[r], load_row(p.before + (row + r) / 2 * p.before_stride, p.columns));
    }
  }
  if (p.slope != 1.0F) {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      sum[r] = {activate(sum[r].low, p.slope), activate(sum[r].high, p.slope)};
    }
  }
  if (p.after != nullptr && p.after_columns > 0) {
    for (int r = 0; r < kRows; ++r) {
      add(sum[r], load_row(p.after + (row + r) * p.after_stride, p.after_columns));
    }
  }
  switch (p.merge) {
    case RowMerge::none:
      for (int r = 0; r < kRows; ++r) {
        store_row(p.out + (row + r) * p.out_stride, sum[r], p.columns);
      }
      break;
    case RowMerge::pairs:
      for (int r = 0; r + 1 < kRows; r += 2) {
        store_row(p.out + (row + r) / 2 * p.out_stride, maximum(sum[r], sum[r + 1]), p.columns);
      }
      break;
    case RowMerge::all:
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) running = maximum(running, sum[r]);
      break;
  }
}

}  // namespace
}  // namespace pointtree::model::engine

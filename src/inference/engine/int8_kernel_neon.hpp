// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set of AArch64, so everything here has internal
// linkage.
#pragma once

#include <arm_neon.h>

#include "int8_kernel_portable.hpp"

namespace pointtree::inference::engine {
namespace {

// Dot products of one row with 16 columns.
struct Dots {
  int32x4_t part[4];
};

// Activations have seven bits, so they are the same read as signed.
inline const std::int8_t* activations(const PanelProduct& p, std::size_t row) {
  return static_cast<const std::int8_t*>(p.a) + row * p.a_stride;
}

// What a Group gives: kRows, the rows of a tile, and add(), which adds to the dots of some rows the
// products of a group of 16 steps; the first row's activations are at `a`.
template <typename Group, int kRows>
inline void int8_tile(const PanelProduct& p, std::size_t row, Row& running) {
  const std::int8_t* a = activations(p, row);
  const auto* weights = static_cast<const std::int8_t*>(p.panel);
  Dots dots[kRows] = {};
  for (std::size_t k = 0; k < p.depth; k += kInt8Group, weights += kPanelWidth * kInt8Group) {
#pragma GCC unroll 4
    for (int line = 0; line < 4; ++line) __builtin_prefetch(weights + kPrefetchBytes + 64 * line);
    Group::template add<kRows>(a + k, p.a_stride, weights, dots);
  }
  Row sum[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    sum[r] = dequantize(p, 0, row + r,
                        row_of([&](std::size_t i) { return vcvtq_f32_s32(dots[r].part[i]); }));
  }
  finish_tile<kRows>(p, 0, row, sum, running);
}

template <typename Group>
void multiply_int8_groups(const PanelProduct& p) {
  for_each_panels<1>(p, [](const PanelProduct& panel, auto) {
    Row running[1];
    load_maxima(panel, running);
    for_each_tile<Group::kRows>(panel, 0, [&](auto rows, std::size_t row) {
      int8_tile<Group, rows.value>(panel, row, running[0]);
    });
    store_maxima(panel, running);
  });
}

// Without instructions for dot products: a group's products are summed in 16 bits (packing
// guarantees that they fit, also in pairs) and widened once. Two rows and four columns at a time
// leave registers for all of it.
struct WideningGroup {
  static constexpr int kRows = 2;

  template <int kCount>
  static inline void add(const std::int8_t* a, std::size_t stride, const std::int8_t* weights,
                         Dots (&dots)[kCount]) {
    int8x16_t x[kCount][4];
#pragma GCC unroll 2
    for (int r = 0; r < kCount; ++r) {
#pragma GCC unroll 4
      for (int quad = 0; quad < 4; ++quad) x[r][quad] = four_steps(a + r * stride + 4 * quad);
    }
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      int8x16_t w[4];
#pragma GCC unroll 4
      for (int quad = 0; quad < 4; ++quad) w[quad] = vld1q_s8(weights + 64 * quad + 16 * part);
#pragma GCC unroll 2
      for (int r = 0; r < kCount; ++r) {
        int16x8_t low = vmull_s8(vget_low_s8(x[r][0]), vget_low_s8(w[0]));
        int16x8_t high = vmull_high_s8(x[r][0], w[0]);
#pragma GCC unroll 3
        for (int quad = 1; quad < 4; ++quad) {
          low = vmlal_s8(low, vget_low_s8(x[r][quad]), vget_low_s8(w[quad]));
          high = vmlal_high_s8(high, x[r][quad], w[quad]);
        }
        dots[r].part[part] = vpadalq_s16(dots[r].part[part], vpaddq_s16(low, high));
      }
    }
  }

 private:
  static inline int8x16_t four_steps(const std::int8_t* steps) {
    std::int32_t word;
    std::memcpy(&word, steps, sizeof(word));
    return vreinterpretq_s8_s32(vdupq_n_s32(word));
  }
};

}  // namespace
}  // namespace pointtree::inference::engine

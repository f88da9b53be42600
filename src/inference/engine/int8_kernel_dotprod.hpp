// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for the dot-product extension.
#pragma once

#include "int8_kernel_neon.hpp"

namespace pointtree::inference::engine {
namespace {

// One instruction takes four steps of four columns, and sums them in 32 bits at once.
struct DotProductGroup {
  static constexpr int kRows = 4;

  template <int kCount>
  static inline void add(const std::int8_t* a, std::size_t stride, const std::int8_t* weights,
                         Dots (&dots)[kCount]) {
    int8x16_t x[kCount];
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) x[r] = vld1q_s8(a + r * stride);
    add_quad<0>(x, weights, dots);
    add_quad<1>(x, weights, dots);
    add_quad<2>(x, weights, dots);
    add_quad<3>(x, weights, dots);
  }

 private:
  template <int kQuad, int kCount>
  static inline void add_quad(const int8x16_t (&x)[kCount], const std::int8_t* weights,
                              Dots (&dots)[kCount]) {
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      const int8x16_t w = vld1q_s8(weights + 64 * kQuad + 16 * part);
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) {
        dots[r].part[part] = vdotq_laneq_s32(dots[r].part[part], w, x[r], kQuad);
      }
    }
  }
};

}  // namespace
}  // namespace pointtree::inference::engine

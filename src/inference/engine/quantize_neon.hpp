// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for NEON.
#pragma once

#include <arm_neon.h>

#include "quantize_portable.hpp"

namespace pointtree::inference::engine {
namespace {

Range range_of_neon(const float* x, std::size_t width) {
  float32x4_t low = vdupq_n_f32(x[0]);
  float32x4_t high = low;
  float32x4_t sum = vdupq_n_f32(0.0F);
  std::size_t k = 0;
  for (; k + 4 <= width; k += 4) {
    const float32x4_t values = vld1q_f32(x + k);
    low = vminnmq_f32(low, values);
    high = vmaxnmq_f32(high, values);
    sum = vaddq_f32(sum, values);
  }
  Range range{vminnmvq_f32(low), vmaxnmvq_f32(high), vaddvq_f32(sum)};
  widen(range, x, k, width);
  range.mean /= static_cast<float>(width);
  return range;
}

// Rounds to nearest, ties to even.
inline int16x4_t four_steps(const float* x, float32x4_t low, float32x4_t factor) {
  return vqmovn_s32(vcvtnq_s32_f32(vmulq_f32(vsubq_f32(vld1q_f32(x), low), factor)));
}

void quantize_row_neon(const float* x, std::size_t width, std::size_t depth, const Range& range,
                       std::uint8_t* q) {
  const float32x4_t low = vdupq_n_f32(range.low);
  const float32x4_t factor = vdupq_n_f32(steps_per_unit(range));
  std::size_t k = 0;
  for (; k + 8 <= width; k += 8) {
    const int16x4_t first = four_steps(x + k, low, factor);
    const int16x4_t second = four_steps(x + k + 4, low, factor);
    vst1_u8(q + k, vqmovun_s16(vcombine_s16(first, second)));
  }
  quantize(range, x, k, width, q);
  std::memset(q + width, 0, depth - width);
}

}  // namespace
}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "quantize_portable.hpp"

namespace pointtree::inference::engine {
namespace {

inline __m256i eight_steps(const float* x, __m256 low, __m256 factor) {
  return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x), low), factor));
}

// 32 floats to 32 bytes; packing works within halves of registers, the permutation puts them right.
inline __m256i thirty_two_steps(const float* x, __m256 low, __m256 factor) {
  const __m256i first =
      _mm256_packs_epi32(eight_steps(x, low, factor), eight_steps(x + 8, low, factor));
  const __m256i second =
      _mm256_packs_epi32(eight_steps(x + 16, low, factor), eight_steps(x + 24, low, factor));
  return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second),
                                     _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

Range range_of_avx2(const float* x, std::size_t width) {
  Range range{x[0], x[0], 0.0F};
  std::size_t k = 0;
  if (width >= 16) {
    __m256 low[2] = {_mm256_loadu_ps(x), _mm256_loadu_ps(x + 8)};
    __m256 high[2] = {low[0], low[1]};
    __m256 sum[2] = {low[0], low[1]};
    for (k = 16; k + 16 <= width; k += 16) {
      for (int half = 0; half < 2; ++half) {
        const __m256 values = _mm256_loadu_ps(x + k + 8 * half);
        low[half] = _mm256_min_ps(low[half], values);
        high[half] = _mm256_max_ps(high[half], values);
        sum[half] = _mm256_add_ps(sum[half], values);
      }
    }
    float lows[8];
    float highs[8];
    float sums[8];
    _mm256_storeu_ps(lows, _mm256_min_ps(low[0], low[1]));
    _mm256_storeu_ps(highs, _mm256_max_ps(high[0], high[1]));
    _mm256_storeu_ps(sums, _mm256_add_ps(sum[0], sum[1]));
    for (int lane = 0; lane < 8; ++lane) {
      range = {std::min(range.low, lows[lane]), std::max(range.high, highs[lane]),
               range.mean + sums[lane]};
    }
  }
  widen(range, x, k, width);
  range.mean /= static_cast<float>(width);
  return range;
}

void quantize_row_avx2(const float* x, std::size_t width, std::size_t depth, const Range& range,
                       std::uint8_t* q) {
  const __m256 low = _mm256_set1_ps(range.low);
  const __m256 factor = _mm256_set1_ps(steps_per_unit(range));
  std::size_t k = 0;
  for (; k + 32 <= width; k += 32) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(q + k), thirty_two_steps(x + k, low, factor));
  }
  quantize(range, x, k, width, q);
  std::memset(q + width, 0, depth - width);
}

}  // namespace
}  // namespace pointtree::inference::engine

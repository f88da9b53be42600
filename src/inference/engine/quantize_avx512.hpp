// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for AVX-512.
#pragma once

#include <immintrin.h>

#include "quantize_portable.hpp"

namespace pointtree::inference::engine {
namespace {

Range range_of_avx512(const float* x, std::size_t width) {
  __m512 low = _mm512_set1_ps(x[0]);
  __m512 high = low;
  __m512 sum = _mm512_setzero_ps();
  std::size_t k = 0;
  for (; k + 16 <= width; k += 16) {
    const __m512 values = _mm512_loadu_ps(x + k);
    low = _mm512_min_ps(low, values);
    high = _mm512_max_ps(high, values);
    sum = _mm512_add_ps(sum, values);
  }
  Range range{_mm512_reduce_min_ps(low), _mm512_reduce_max_ps(high), _mm512_reduce_add_ps(sum)};
  widen(range, x, k, width);
  range.mean /= static_cast<float>(width);
  return range;
}

void quantize_row_avx512(const float* x, std::size_t width, std::size_t depth, const Range& range,
                         std::uint8_t* q) {
  const __m512 low = _mm512_set1_ps(range.low);
  const __m512 factor = _mm512_set1_ps(steps_per_unit(range));
  std::size_t k = 0;
  for (; k + 16 <= width; k += 16) {
    const __m512 steps = _mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(x + k), low), factor);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(q + k),
                     _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(steps)));
  }
  quantize(range, x, k, width, q);
  std::memset(q + width, 0, depth - width);
}

}  // namespace
}  // namespace pointtree::inference::engine

// Included only by the source file that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include "int8_kernel_portable.hpp"
#include "lanes.hpp"

namespace pointtree::model::engine {
namespace {

inline __m256i broadcast_quad(const std::uint8_t* quad) {
  std::int32_t word;
  std::memcpy(&word, quad, sizeof(word));
  return _mm256_set1_epi32(word);
}

// kRows × 8 dot products. One group is 16 depth steps: four vectors of 8 columns × 4 steps, whose
// products are summed in 16 bits (packing guarantees that they fit) and then widened once.
template <int kRows>
inline void int8_half_tile(const std::uint8_t* a, std::size_t stride, const std::int8_t* weights,
                           std::size_t depth, __m256i (&sum)[kRows]) {
  const __m256i ones = _mm256_set1_epi16(1);
  for (int r = 0; r < kRows; ++r) sum[r] = _mm256_setzero_si256();
  for (std::size_t k = 0; k < depth; k += kInt8Group, weights += 8 * kInt8Group) {
    const auto* vectors = reinterpret_cast<const __m256i*>(weights);
    const __m256i w0 = _mm256_load_si256(vectors);
    const __m256i w1 = _mm256_load_si256(vectors + 1);
    const __m256i w2 = _mm256_load_si256(vectors + 2);
    const __m256i w3 = _mm256_load_si256(vectors + 3);
    __builtin_prefetch(weights + 1024);
    __builtin_prefetch(weights + 1024 + 64);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const std::uint8_t* x = a + r * stride + k;
      const __m256i first = _mm256_add_epi16(_mm256_maddubs_epi16(broadcast_quad(x), w0),
                                             _mm256_maddubs_epi16(broadcast_quad(x + 4), w1));
      const __m256i second = _mm256_add_epi16(_mm256_maddubs_epi16(broadcast_quad(x + 8), w2),
                                              _mm256_maddubs_epi16(broadcast_quad(x + 12), w3));
      const __m256i group = _mm256_madd_epi16(_mm256_add_epi16(first, second), ones);
      sum[r] = _mm256_add_epi32(sum[r], group);
    }
  }
}

template <int kRows>
inline void int8_tile(const PanelProduct& p, std::size_t row, Row& running) {
  const auto* a = static_cast<const std::uint8_t*>(p.a) + row * p.a_stride;
  const auto* weights = static_cast<const std::int8_t*>(p.panel);
  Row sum[kRows];
  for (int half = 0; half < 2; ++half) {
    __m256i dots[kRows];
    int8_half_tile<kRows>(a, p.a_stride, weights + half * 8 * p.depth, p.depth, dots);
    const Lanes scale = load(p.column_scale + 8 * half);
    const Lanes column_sum = load(p.column_sum + 8 * half);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const auto exact = reinterpret_cast<Lanes>(_mm256_cvtepi32_ps(dots[r]));
      (half == 0 ? sum[r].low : sum[r].high) =
          exact * (scale * p.row_scale[row + r]) + column_sum * p.row_offset[row + r];
    }
  }
  finish_tile<kRows>(p, row, sum, running);
}

// 32 products of one row, summed in fours; a pair fits 16 bits by the range of the steps.
inline __m256i quad_sums(__m256i steps, __m256i weights) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(steps, weights), _mm256_set1_epi16(1));
}

inline __m256i load_16(const void* source) {
  return _mm256_zextsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(source)));
}

inline void dot_four_rows(const std::uint8_t* rows, std::size_t depth, const std::int8_t* weights,
                          std::int32_t* dots) {
  __m256i sum[4] = {};
  std::size_t k = 0;
  for (; k + 32 <= depth; k += 32) {
    const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights + k));
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      const auto* steps = reinterpret_cast<const __m256i*>(rows + r * depth + k);
      sum[r] = _mm256_add_epi32(sum[r], quad_sums(_mm256_loadu_si256(steps), w));
    }
  }
  if (k < depth) {
    for (int r = 0; r < 4; ++r) {
      sum[r] =
          _mm256_add_epi32(sum[r], quad_sums(load_16(rows + r * depth + k), load_16(weights + k)));
    }
  }
  const __m256i both =
      _mm256_hadd_epi32(_mm256_hadd_epi32(sum[0], sum[1]), _mm256_hadd_epi32(sum[2], sum[3]));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(dots),
                   _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)));
}

void dot_int8_avx2(const std::uint8_t* rows, std::size_t depth, std::size_t count,
                   const std::int8_t* weights, std::int32_t* dots) {
  if (count == 4) {
    dot_four_rows(rows, depth, weights, dots);
  } else {
    dot_int8_portable(rows, depth, count, weights, dots);
  }
}

void multiply_int8_avx2(const PanelProduct& p) {
  Row running = {};
  if (p.merge == RowMerge::all) running = load_row(p.out, p.columns);
  std::size_t row = 0;
  for (; p.rows - row >= 8; row += 8) int8_tile<8>(p, row, running);
  if (p.rows - row >= 4) {
    int8_tile<4>(p, row, running);
    row += 4;
  }
  if (p.rows - row >= 2) {
    int8_tile<2>(p, row, running);
    row += 2;
  }
  if (p.rows - row >= 1) int8_tile<1>(p, row, running);
  if (p.merge == RowMerge::all) store_row(p.out, running, p.columns);
}

}  // namespace
}  // namespace pointtree::model::engine

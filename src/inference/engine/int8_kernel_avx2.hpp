// SPDX-License-Identifier: Apache-2.0

// Included only by the source file that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include "int8_kernel_portable.hpp"
#include "simd_vector.hpp"

namespace pointtree::inference::engine {
namespace {

inline __m256i broadcast_quad(const std::uint8_t* quad) {
  std::int32_t word;
  std::memcpy(&word, quad, sizeof(word));
  return _mm256_set1_epi32(word);
}

// Keeps a value in a register here: left alone, the compiler reorders the sums below until it runs
// out of registers, which costs a third of the speed.
inline void pin(__m256i& value) { asm("" : "+x"(value)); }

// Rows that share one reading of a stretch of weights, and the depth of a stretch: it is read once
// from wherever the weights are and then stays in the first-level cache for the other rows.
constexpr std::size_t kInt8BlockRows = 8;
constexpr std::size_t kInt8Stretch = 512;

// Bytes ahead that one or two rows fetch weights.
constexpr std::size_t kInt8Ahead = 2048;

// Dot products of one row with 16 columns.
struct Dots {
  __m256i low;
  __m256i high;
};

// Adds the products of kRows rows over `depth` steps. A group is 16 steps in four quads, a quad 16
// columns × 4 steps; a group's products are summed in 16 bits (packing guarantees that they fit)
// and widened once. Two rows and 16 columns leave registers for all sums, and every activation and
// weight is loaded once. Meanwhile kLines cache lines per group are fetched from `next` on. On its
// own the compiler keeps all of it in registers; inlined, it did not.
template <int kRows, int kLines>
__attribute__((noinline)) void add_products(const std::uint8_t* a, std::size_t stride,
                                            const std::int8_t* weights, std::size_t depth,
                                            const std::int8_t* next, Dots* dots) {
  const __m256i ones = _mm256_set1_epi16(1);
  Dots sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = dots[r];
  for (std::size_t k = 0; k < depth; k += kInt8Group, weights += kPanelWidth * kInt8Group) {
#pragma GCC unroll 4
    for (int line = 0; line < kLines; ++line) __builtin_prefetch(next + 64 * line);
    next += 64 * kLines;
    Dots group[kRows];
#pragma GCC unroll 4
    for (int quad = 0; quad < 4; ++quad) {
      const auto* vectors = reinterpret_cast<const __m256i*>(weights) + 2 * quad;
      __m256i low = _mm256_load_si256(vectors);
      __m256i high = _mm256_load_si256(vectors + 1);
      pin(low);
      pin(high);
#pragma GCC unroll 2
      for (int r = 0; r < kRows; ++r) {
        const __m256i x = broadcast_quad(a + r * stride + k + 4 * quad);
        const __m256i low_products = _mm256_maddubs_epi16(x, low);
        const __m256i high_products = _mm256_maddubs_epi16(x, high);
        group[r].low = quad == 0 ? low_products : _mm256_add_epi16(group[r].low, low_products);
        group[r].high = quad == 0 ? high_products : _mm256_add_epi16(group[r].high, high_products);
        pin(group[r].low);
        pin(group[r].high);
      }
    }
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) {
      sum[r].low = _mm256_add_epi32(sum[r].low, _mm256_madd_epi16(group[r].low, ones));
      sum[r].high = _mm256_add_epi32(sum[r].high, _mm256_madd_epi16(group[r].high, ones));
    }
  }
  for (int r = 0; r < kRows; ++r) dots[r] = sum[r];
}

// All products of up to kInt8BlockRows rows with a panel. Every pair of rows fetches its share of
// the stretch after the present one, so that memory is kept busy all the time.
template <int kPairs>
inline void pair_dots(const std::uint8_t* a, std::size_t stride, const std::int8_t* weights,
                      std::size_t depth, Dots* dots) {
  constexpr int kLines = 4 / kPairs;
  for (std::size_t k = 0; k < depth; k += kInt8Stretch, weights += kPanelWidth * kInt8Stretch) {
    const std::size_t steps = depth - k < kInt8Stretch ? depth - k : kInt8Stretch;
    const std::int8_t* next = weights + (kPairs == 1 ? kInt8Ahead : kPanelWidth * kInt8Stretch);
    for (int pair = 0; pair < kPairs; ++pair, next += steps / kInt8Group * 64 * kLines) {
      add_products<2, kLines>(a + 2 * pair * stride + k, stride, weights, steps, next,
                              dots + 2 * pair);
    }
  }
}

inline void block_dots(const std::uint8_t* a, std::size_t stride, std::size_t rows,
                       const std::int8_t* weights, std::size_t depth, Dots* dots) {
  for (std::size_t r = 0; r < rows; ++r) dots[r] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  std::size_t row = 0;
  if (rows == 8) {
    pair_dots<4>(a, stride, weights, depth, dots);
    return;
  }
  if (rows >= 4) {
    pair_dots<2>(a, stride, weights, depth, dots);
    row = 4;
  }
  if (rows - row >= 2) {
    pair_dots<1>(a + row * stride, stride, weights, depth, dots + row);
    row += 2;
  }
  if (row < rows) {
    add_products<1, 4>(a + row * stride, stride, weights, depth, weights + kInt8Ahead, dots + row);
  }
}

template <int kRows>
inline void finish_dots(const PanelProduct& p, std::size_t row, const Dots* dots, Row& running) {
  Row sum[kRows];
  for (int r = 0; r < kRows; ++r) {
    sum[r] = dequantize(p, 0, row + r,
                        {{_mm256_cvtepi32_ps(dots[r].low), _mm256_cvtepi32_ps(dots[r].high)}});
  }
  finish_tile<kRows>(p, 0, row, sum, running);
}

void multiply_panel_avx2(const PanelProduct& p) {
  Row running[1];
  load_maxima(p, running);
  const auto* a = static_cast<const std::uint8_t*>(p.a);
  const auto* weights = static_cast<const std::int8_t*>(p.panel);
  Dots dots[kInt8BlockRows];
  for (std::size_t first = 0; first < p.rows; first += kInt8BlockRows) {
    const std::size_t rows = p.rows - first < kInt8BlockRows ? p.rows - first : kInt8BlockRows;
    block_dots(a + first * p.a_stride, p.a_stride, rows, weights, p.depth, dots);
    std::size_t row = 0;
    for (; row + 2 <= rows; row += 2) finish_dots<2>(p, first + row, dots + row, running[0]);
    if (row < rows) finish_dots<1>(p, first + row, dots + row, running[0]);
  }
  store_maxima(p, running);
}

void multiply_int8_avx2(const PanelProduct& p) {
  for (std::size_t panel = 0; panel < p.panels; ++panel) multiply_panel_avx2(p.part(panel, 1));
}

}  // namespace
}  // namespace pointtree::inference::engine

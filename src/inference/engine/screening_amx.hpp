// Included only by the source file that is compiled for AMX.
#pragma once

#include <algorithm>
#include <cmath>

#include "int8_kernel_amx.hpp"
#include "screening.hpp"

namespace pointtree::inference::engine {
namespace {

inline __mmask16 first_lanes(std::size_t count) {
  return count >= 16 ? __mmask16{0xffff} : static_cast<__mmask16>((1U << count) - 1U);
}

// Squared lengths of a row's difference from the middle one and of what rounding takes from it.
struct SquaredLengths {
  float difference;
  float rounding;
};

inline SquaredLengths subtract_row(const ScreenBlock& block, std::size_t r, std::uint16_t* coarse) {
  const float* row = block.rows + r * block.stride;
  __m512 difference = _mm512_setzero_ps();
  __m512 rounding = _mm512_setzero_ps();
  for (std::size_t k = 0; k < block.depth; k += 16) {
    const __mmask16 mask = first_lanes(block.in > k ? block.in - k : 0);
    const __m512 exact = _mm512_sub_ps(_mm512_maskz_loadu_ps(mask, row + k),
                                       _mm512_maskz_loadu_ps(mask, block.middle + k));
    const auto rounded = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(exact));
    const std::size_t step = k / kScreenDepth * kScreenBlock + r;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(coarse + step * kScreenDepth + k % kScreenDepth),
                        rounded);
    const __m512i bits = _mm512_slli_epi32(_mm512_cvtepu16_epi32(rounded), 16);
    const __m512 lost = _mm512_sub_ps(exact, _mm512_castsi512_ps(bits));
    difference = _mm512_fmadd_ps(exact, exact, difference);
    rounding = _mm512_fmadd_ps(lost, lost, rounding);
  }
  return {_mm512_reduce_add_ps(difference), _mm512_reduce_add_ps(rounding)};
}

// The length of a row with a one behind it, to which the bias belongs.
inline float length_with_bias(const float* row, std::size_t in) {
  __m512 sum = _mm512_setzero_ps();
  for (std::size_t k = 0; k < in; k += 16) {
    const __m512 values = _mm512_maskz_loadu_ps(first_lanes(in - k), row + k);
    sum = _mm512_fmadd_ps(values, values, sum);
  }
  return std::sqrt(_mm512_reduce_add_ps(sum) + 1.0F);
}

void subtract_middle_amx(const ScreenBlock& block, std::uint16_t* rows, GroupError* errors) {
  constexpr float kRoundUp = 1.0F + 1e-5F;  // for the rounding of the lengths themselves
  const float slack = screening_slack(block.depth);
  const float middle = length_with_bias(block.middle, block.in);
  for (std::size_t g = 0; g < kScreenBlockGroups; ++g) {
    SquaredLengths largest{};
    for (std::size_t r = g * kScreenGroup; r < (g + 1) * kScreenGroup; ++r) {
      const SquaredLengths lengths = subtract_row(block, r, rows);
      largest.difference = std::max(largest.difference, lengths.difference);
      largest.rounding = std::max(largest.rounding, lengths.rounding);
    }
    const float length = std::sqrt(largest.difference);
    errors[g] = {kRoundUp * (std::sqrt(largest.rounding) + slack * (middle + length)),
                 kRoundUp * length};
  }
}

// 32 rows × 32 columns, of which registers 0 to 3 hold the sums.
inline void multiply_block(const ScreenProduct& p, std::size_t block,
                           float (&dots)[2][2][kAmxRows][kPanelWidth]) {
  constexpr std::size_t kTile = kAmxRows * kScreenDepth;
  const std::uint16_t* rows = p.rows + block * kScreenBlock * p.depth;
  const std::uint16_t* left = p.panels;
  const std::uint16_t* right = left + p.depth * kPanelWidth;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t k = 0; k < p.depth; k += kScreenDepth) {
    _tile_loadd(4, rows, 64);
    _tile_loadd(6, left, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, right, 64);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(5, rows + kTile, 64);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    rows += 2 * kTile;
    left += kTile;
    right += kTile;
  }
  _tile_stored(0, dots[0][0], 64);
  _tile_stored(1, dots[0][1], 64);
  _tile_stored(2, dots[1][0], 64);
  _tile_stored(3, dots[1][1], 64);
}

// One panel's columns, as all of a block's groups need them.
struct ScreenColumns {
  __m512 middle;
  __m512 size;
  __m512 loss;
  __m512 best;

  ScreenColumns(const ScreenProduct& p, std::size_t block, std::size_t panel)
      : middle(_mm512_loadu_ps(p.middles + block * p.middle_stride + panel * kPanelWidth)),
        size(_mm512_loadu_ps(p.sizes + panel * kPanelWidth)),
        loss(_mm512_loadu_ps(p.losses + panel * kPanelWidth)),
        best(_mm512_loadu_ps(p.best + panel * kPanelWidth)) {}
};

// Writes a group's bounds and gives one bit per column that is hopeful; what is no number is.
inline std::uint32_t bound_group(const ScreenColumns& columns, const float (*dots)[kPanelWidth],
                                 const GroupError& error, float* bounds) {
  __m512 largest = _mm512_load_ps(dots[0]);
  for (std::size_t r = 1; r < kScreenGroup; ++r) {
    largest = _mm512_max_ps(largest, _mm512_load_ps(dots[r]));
  }
  __m512 bound = _mm512_add_ps(largest, columns.middle);
  bound = _mm512_fmadd_ps(_mm512_set1_ps(error.rounding), columns.size, bound);
  bound = _mm512_fmadd_ps(_mm512_set1_ps(error.length), columns.loss, bound);
  _mm512_storeu_ps(bounds, bound);
  return _mm512_cmp_ps_mask(bound, columns.best, _CMP_NLE_UQ);
}

std::size_t list_hopeful_amx(const ScreenProduct& p, float* bounds, HopefulGroup* list) {
  const TileRegisters registers;
  std::size_t count = 0;
  for (std::size_t block = 0; block < p.blocks; ++block) {
    alignas(64) float dots[2][2][kAmxRows][kPanelWidth];
    multiply_block(p, block, dots);
    const ScreenColumns left(p, block, 0);
    const ScreenColumns right(p, block, 1);
    for (std::size_t g = 0; g < kScreenBlockGroups; ++g) {
      const std::size_t group = block * kScreenBlockGroups + g;
      const std::size_t half = g * kScreenGroup / kAmxRows;
      const std::size_t row = g * kScreenGroup % kAmxRows;
      float* own = bounds + group * kScreenWidth;
      const std::uint32_t columns =
          bound_group(left, &dots[half][0][row], p.errors[group], own) |
          bound_group(right, &dots[half][1][row], p.errors[group], own + kPanelWidth) << 16;
      list[count] = {static_cast<std::uint32_t>(group), columns};
      count += columns != 0 ? 1 : 0;
    }
  }
  return count;
}

// The largest of four sums over 16 lanes.
inline float largest_sum(const __m512 (&lanes)[kScreenGroup]) {
  const auto halves = [](__m512 x) {
    return _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
  };
  const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(halves(lanes[0]), halves(lanes[1])),
                                      _mm256_hadd_ps(halves(lanes[2]), halves(lanes[3])));
  const __m128 sums = _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
  const __m128 larger = _mm_max_ps(sums, _mm_movehl_ps(sums, sums));
  return _mm_cvtss_f32(_mm_max_ss(larger, _mm_movehdup_ps(larger)));
}

float largest_dot_amx(const float* rows, std::size_t stride, const float* weights,
                      std::size_t width) {
  __m512 sum[kScreenGroup] = {};
  const auto add = [&](std::size_t k, __mmask16 mask) {
    const __m512 w = _mm512_maskz_loadu_ps(mask, weights + k);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kScreenGroup; ++r) {
      sum[r] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, rows + r * stride + k), w, sum[r]);
    }
  };
  std::size_t k = 0;
  for (; k + 16 <= width; k += 16) add(k, __mmask16{0xffff});
  if (k < width) add(k, first_lanes(width - k));
  return largest_sum(sum);
}

}  // namespace
}  // namespace pointtree::inference::engine

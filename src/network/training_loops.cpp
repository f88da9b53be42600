// SPDX-License-Identifier: Apache-2.0
#include "training_loops.hpp"

#include <algorithm>
#include <vector>

#include "geometry/target_clones.hpp"

namespace pointtree::network::loops {
namespace {

// Float sums over short runs, double over the runs.
constexpr std::int64_t kRun = 64;
constexpr std::int64_t kSimdWidth = 16;

}  // namespace

POINTTREE_CLONES
void keep_largest(const float* values, std::int64_t rows, std::int64_t columns,
                  std::int32_t first_row, float* __restrict largest,
                  std::int32_t* __restrict winner) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* __restrict row = values + r * columns;
    const auto number = static_cast<std::int32_t>(first_row + r);
    for (std::int64_t c = 0; c < columns; ++c) {
      const bool larger = row[c] > largest[c];
      winner[c] = larger ? number : winner[c];
      largest[c] = larger ? row[c] : largest[c];
    }
  }
}

POINTTREE_CLONES
void map_coordinates(const float* points, std::int64_t rows, std::int64_t columns,
                     const float* __restrict map, const float* __restrict bias,
                     float* __restrict result) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const float x = points[3 * r];
    const float y = points[3 * r + 1];
    const float z = points[3 * r + 2];
    float* __restrict out = result + r * columns;
    for (std::int64_t c = 0; c < columns; ++c)
      out[c] = bias[c] + x * map[c] + y * map[columns + c] + z * map[2 * columns + c];
  }
}

POINTTREE_CLONES
void map_coordinates_backward(const float* points, const float* gradient, std::int64_t rows,
                              std::int64_t columns, const float* __restrict map,
                              float* __restrict to_points, float* __restrict to_map,
                              float* __restrict to_bias) {
  const std::int64_t even = columns - columns % kSimdWidth;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* __restrict g = gradient + r * columns;
    const float* __restrict p = points + 3 * r;
    float sums[3][kSimdWidth] = {};
    for (std::int64_t c = 0; c < even; c += kSimdWidth) {
      for (std::int64_t k = 0; k < kSimdWidth; ++k) to_bias[c + k] += g[c + k];
      for (std::int64_t axis = 0; axis < 3; ++axis) {
        const std::int64_t at = axis * columns + c;
        for (std::int64_t k = 0; k < kSimdWidth; ++k) {
          sums[axis][k] += g[c + k] * map[at + k];
          to_map[at + k] += g[c + k] * p[axis];
        }
      }
    }
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      float sum = 0.0F;
      for (const float part : sums[axis]) sum += part;
      for (std::int64_t c = even; c < columns; ++c) {
        sum += g[c] * map[axis * columns + c];
        to_map[axis * columns + c] += g[c] * p[axis];
      }
      to_points[3 * r + axis] = sum;
    }
    for (std::int64_t c = even; c < columns; ++c) to_bias[c] += g[c];
  }
}

POINTTREE_CLONES
void apply_prelu(float* __restrict values, std::int64_t count, float slope) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = values[i] > 0.0F ? values[i] : slope * values[i];
}

POINTTREE_CLONES
double prelu_backward(const float* __restrict before, float* __restrict gradient,
                      std::int64_t count, float slope) {
  double to_slope = 0.0;
  std::int64_t i = 0;
  while (i + kSimdWidth <= count) {
    float sums[kSimdWidth] = {};
    const std::int64_t end = std::min(count - kSimdWidth + 1, i + kRun * kSimdWidth);
    for (; i < end; i += kSimdWidth) {
      for (std::int64_t k = 0; k < kSimdWidth; ++k) {
        const float x = before[i + k];
        const float g = gradient[i + k];
        sums[k] += x > 0.0F ? 0.0F : g * x;
        gradient[i + k] = x > 0.0F ? g : slope * g;
      }
    }
    for (const float sum : sums) to_slope += static_cast<double>(sum);
  }
  for (; i < count; ++i) {
    if (before[i] > 0.0F) continue;
    to_slope += static_cast<double>(gradient[i] * before[i]);
    gradient[i] *= slope;
  }
  return to_slope;
}

POINTTREE_CLONES
void add_column_powers(const float* values, std::int64_t rows, std::int64_t columns,
                       std::int64_t begin, std::int64_t end, const float* __restrict centre,
                       int power, double* __restrict sums) {
  std::vector<float> run(static_cast<std::size_t>(end - begin));
  float* __restrict partial = run.data();
  const std::int64_t width = end - begin;
  for (std::int64_t first = 0; first < rows; first += kRun) {
    std::fill(run.begin(), run.end(), 0.0F);
    const std::int64_t last = std::min(rows, first + kRun);
    for (std::int64_t r = first; r < last; ++r) {
      const float* __restrict row = values + r * columns + begin;
      if (power == 1) {
        for (std::int64_t c = 0; c < width; ++c) partial[c] += row[c] - centre[c];
      } else {
        for (std::int64_t c = 0; c < width; ++c) {
          const float d = row[c] - centre[c];
          partial[c] += d * d;
        }
      }
    }
    for (std::int64_t c = 0; c < width; ++c) sums[c] += static_cast<double>(partial[c]);
  }
}

POINTTREE_CLONES
void scaled_max(const float* values, std::int64_t pairs, std::int64_t columns,
                const float* __restrict scale, const float* __restrict shift,
                float* __restrict result) {
  for (std::int64_t p = 0; p < pairs; ++p) {
    const float* __restrict left = values + 2 * p * columns;
    const float* __restrict right = left + columns;
    float* __restrict out = result + p * columns;
    for (std::int64_t c = 0; c < columns; ++c) {
      const float l = scale[c] * left[c];
      const float r = scale[c] * right[c];
      out[c] = (l >= r ? l : r) + shift[c];
    }
  }
}

POINTTREE_CLONES
void add_winner_gradients(const float* values, const float* gradient, std::int64_t pairs,
                          std::int64_t columns, const float* __restrict scale,
                          const float* __restrict mean, const float* __restrict inverse,
                          double* __restrict plain, double* __restrict times_normalised) {
  std::vector<float> run(static_cast<std::size_t>(2 * columns));
  float* __restrict g_sum = run.data();
  float* __restrict gy_sum = run.data() + columns;
  for (std::int64_t first = 0; first < pairs; first += kRun) {
    std::fill(run.begin(), run.end(), 0.0F);
    const std::int64_t last = std::min(pairs, first + kRun);
    for (std::int64_t p = first; p < last; ++p) {
      const float* __restrict left = values + 2 * p * columns;
      const float* __restrict right = left + columns;
      const float* __restrict g = gradient + p * columns;
      for (std::int64_t c = 0; c < columns; ++c) {
        const float winner = scale[c] * left[c] >= scale[c] * right[c] ? left[c] : right[c];
        g_sum[c] += g[c];
        gy_sum[c] += g[c] * ((winner - mean[c]) * inverse[c]);
      }
    }
    for (std::int64_t c = 0; c < columns; ++c) {
      plain[c] += static_cast<double>(g_sum[c]);
      times_normalised[c] += static_cast<double>(gy_sum[c]);
    }
  }
}

POINTTREE_CLONES
void spread_to_pairs(const float* values, const float* gradient, std::int64_t pairs,
                     std::int64_t columns, const float* __restrict scale,
                     const float* __restrict constant, const float* __restrict slope,
                     float* __restrict result) {
  for (std::int64_t p = 0; p < pairs; ++p) {
    const float* __restrict left = values + 2 * p * columns;
    const float* __restrict right = left + columns;
    const float* __restrict g = gradient + p * columns;
    float* __restrict to_left = result + 2 * p * columns;
    float* __restrict to_right = to_left + columns;
    for (std::int64_t c = 0; c < columns; ++c) {
      const bool left_wins = scale[c] * left[c] >= scale[c] * right[c];
      to_left[c] = scale[c] * ((left_wins ? g[c] : 0.0F) - constant[c] - slope[c] * left[c]);
      to_right[c] = scale[c] * ((left_wins ? 0.0F : g[c]) - constant[c] - slope[c] * right[c]);
    }
  }
}

}  // namespace pointtree::network::loops

// SPDX-License-Identifier: Apache-2.0
#include "row_operations.hpp"

#include <algorithm>

namespace pointtree::inference::engine {

void move_by(const float* nine, float* points, std::size_t count, std::size_t channels) {
  float map[9];
  for (int i = 0; i < 9; ++i) map[i] = nine[i] + (i % 4 == 0 ? 1.0F : 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    float* p = points + i * channels;
    const float x = p[0];
    const float y = p[1];
    const float z = p[2];
    for (int c = 0; c < 3; ++c) p[c] = x * map[c] + y * map[3 + c] + z * map[6 + c];
  }
}

void add_rows(float* sum, const float* other, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += other[i];
}

void max_of_pairs(const float* rows, std::size_t pairs, std::size_t width, float* out) {
  for (std::size_t i = 0; i < pairs; ++i) {
    const float* left = rows + 2 * i * width;
    for (std::size_t c = 0; c < width; ++c) {
      out[i * width + c] = std::max(left[c], left[width + c]);
    }
  }
}

void average_repeated(float* features, std::size_t rows, std::size_t width,
                      const std::int32_t* owner, std::int32_t* scratch) {
  std::int32_t* first = scratch;           // the owner's first row
  std::int32_t* members = scratch + rows;  // how many rows the owner has
  std::fill_n(first, rows, -1);
  std::fill_n(members, rows, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::int32_t o = owner[r];
    if (members[o]++ == 0) {
      first[o] = static_cast<std::int32_t>(r);
    } else {
      add_rows(features + static_cast<std::size_t>(first[o]) * width, features + r * width, width);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::int32_t o = owner[r];
    if (members[o] == 1) continue;
    float* mean = features + static_cast<std::size_t>(first[o]) * width;
    if (static_cast<std::size_t>(first[o]) == r) {
      const float share = 1.0F / static_cast<float>(members[o]);
      for (std::size_t c = 0; c < width; ++c) mean[c] *= share;
    } else {
      std::copy_n(mean, width, features + r * width);
    }
  }
}

}  // namespace pointtree::inference::engine

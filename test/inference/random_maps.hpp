// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "inference/engine/packed_linear.hpp"

namespace pointtree::inference::engine {

/// Between −1 and 1.
inline std::vector<float> random_values(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

/// Weights and bias between −1 and 1.
inline LinearWeights random_map(std::size_t in, std::size_t out, float slope,
                                std::mt19937& random) {
  return {in, out, random_values(in * out, random), random_values(out, random), slope};
}

/// The definition, in double precision.
inline double expected(const LinearWeights& map, const float* row, std::size_t o,
                       double before = 0.0) {
  double sum = map.bias[o] + before;
  for (std::size_t k = 0; k < map.in; ++k) {
    sum += static_cast<double>(map.weight[o * map.in + k]) * row[k];
  }
  return sum > 0.0 ? sum : sum * map.slope;
}

}  // namespace pointtree::inference::engine

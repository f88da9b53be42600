// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The inner loops of the training kernels, compiled for several instruction sets of which the
/// processor's best is taken. Matrices are dense and row-major.
namespace pointtree::network::loops {

/// Keeps the largest value seen in each column and the row it came from.
void keep_largest(const float* values, std::int64_t rows, std::int64_t columns,
                  std::int32_t first_row, float* largest, std::int32_t* winner);

/// x · map + bias for rows of three coordinates, which matrix libraries are slow at; map is
/// [3, columns].
void map_coordinates(const float* points, std::int64_t rows, std::int64_t columns, const float* map,
                     const float* bias, float* result);

/// The gradients of map_coordinates: those of points are set, those of map and bias added to.
void map_coordinates_backward(const float* points, const float* gradient, std::int64_t rows,
                              std::int64_t columns, const float* map, float* to_points,
                              float* to_map, float* to_bias);

/// In place: v ← v where positive, slope · v elsewhere.
void apply_prelu(float* values, std::int64_t count, float slope);

/// Turns the gradient of prelu's output into that of its input, in place, and returns that of the
/// slope.
double prelu_backward(const float* before, float* gradient, std::int64_t count, float slope);

/// Adds Σ (x − centre)^power over the rows, for the columns from `begin` to `end`; power is 1 or 2.
void add_column_powers(const float* values, std::int64_t rows, std::int64_t columns,
                       std::int64_t begin, std::int64_t end, const float* centre, int power,
                       double* sums);

/// Scales two adjacent rows, takes the larger of each pair of values and shifts it, pair by pair.
void scaled_max(const float* values, std::int64_t pairs, std::int64_t columns, const float* scale,
                const float* shift, float* result);

/// Adds Σ g and Σ g (winner − mean) · inverse over the pairs, where the winner is what scaled_max
/// took.
void add_winner_gradients(const float* values, const float* gradient, std::int64_t pairs,
                          std::int64_t columns, const float* scale, const float* mean,
                          const float* inverse, double* plain, double* times_normalised);

/// Gives each winner its gradient, and both rows scale · (− constant − slope · value).
void spread_to_pairs(const float* values, const float* gradient, std::int64_t pairs,
                     std::int64_t columns, const float* scale, const float* constant,
                     const float* slope, float* result);

}  // namespace pointtree::network::loops

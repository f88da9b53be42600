// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointtree::inference::engine {

/// Row vectors: p ← p · (nine + I) for the first three of `channels` values of every point.
void move_by(const float* nine, float* points, std::size_t count, std::size_t channels);

/// sum += other, element by element.
void add_rows(float* sum, const float* other, std::size_t count);

/// Maximum of rows 2i and 2i + 1 for every i < pairs.
void max_of_pairs(const float* rows, std::size_t pairs, std::size_t width, float* out);

/// Gives all rows of one owner their mean; owner[r] is in [0, rows), scratch holds 2 · rows.
void average_repeated(float* features, std::size_t rows, std::size_t width,
                      const std::int32_t* owner, std::int32_t* scratch);

}  // namespace pointtree::inference::engine

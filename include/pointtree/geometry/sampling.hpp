// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// The least of count, count/2, count/4, … that is not below n.
std::int32_t rows_that_hold(std::int32_t n, std::int32_t count);

/// Indices of exactly `count` points of the cloud in increasing order: a seeded uniform subset
/// where it has more. Where it has fewer, n, they fill rows_that_hold(n, count) rows, some of them
/// twice, seeded too, and every row is repeated equally often: a network need see it only once.
/// Throws std::invalid_argument for an empty cloud or a count below 1.
std::vector<std::int32_t> resample(const PointsView& points, std::int32_t count,
                                   std::uint64_t seed);

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Indices of exactly `count` points of the cloud in increasing order: a seeded uniform subset
/// where it has more; where it has fewer, each point ⌊count/n⌋ or ⌈count/n⌉ times, seeded too.
/// Throws std::invalid_argument for an empty cloud or a count below 1.
std::vector<std::int32_t> resample(const PointsView& points, std::int32_t count,
                                   std::uint64_t seed);

}  // namespace pointtree::geometry

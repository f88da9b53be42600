// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Indices (a, b, c) of three different points; the angle is the one at a.
using Triple = std::array<std::int32_t, 3>;

/// Triples drawn by default: the standard error of the mean is below 1 % of a
/// typical deviation.
constexpr std::int32_t kDefaultTriples = 4096;

/// Draws triples of different points out of `points`; throws std::invalid_argument for fewer than
/// three.
std::vector<Triple> draw_triples(std::int32_t points, std::int32_t count, std::uint64_t seed);

/// Expected angle difference, in radians: the mean over triples of |∠bac − ∠b'a'c'|.
///
/// Zero for similarity transformations. Angles come from atan2(‖u × v‖, u · v), which keeps its
/// digits near 0 and π; an arm of length zero makes the angle 0. Throws std::invalid_argument where
/// the clouds differ in size.
double expected_angle_difference(const PointsView& before, const PointsView& after,
                                 const std::vector<Triple>& triples);
double expected_angle_difference(const PointsViewOf<double>& before,
                                 const PointsViewOf<double>& after,
                                 const std::vector<Triple>& triples);

/// The same over seeded triples.
double expected_angle_difference(const PointsView& before, const PointsView& after,
                                 std::int32_t triples = kDefaultTriples, std::uint64_t seed = 0);

}  // namespace pointtree::geometry

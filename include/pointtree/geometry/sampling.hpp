#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How points are chosen where a cloud has more than are wanted.
enum class SamplingMethod { uniform, farthest_point, voxel };

/// How points are repeated where a cloud has fewer than are wanted.
enum class RepeatMethod {
  even,              ///< each point ⌊count/n⌋ or ⌈count/n⌉ times
  with_replacement,  ///< every point once, the rest drawn at random, as the authors' code does
};

/// Indices of exactly `count` points of the cloud: a seeded subset where it has more, seeded
/// repeats where it has fewer. Uniform and voxel subsets and repeats come in increasing order of
/// index, farthest points in the order of choice, so that any first part of them is spread evenly
/// too. O(n) for uniform and repeats, O(n·count) for farthest points, O(n log n) for voxels. Throws
/// std::invalid_argument for an empty cloud or a count below 1, and for non-finite points where
/// their places matter (farthest point, voxel).
std::vector<std::int32_t> resample(const PointsView& points, std::int32_t count, std::uint64_t seed,
                                   SamplingMethod method = SamplingMethod::uniform,
                                   RepeatMethod repeats = RepeatMethod::even);

}  // namespace pointtree::geometry

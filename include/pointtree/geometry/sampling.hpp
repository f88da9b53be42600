#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How points are chosen where a cloud has more than are wanted.
enum class SamplingMethod { uniform, farthest_point, voxel };

/// Indices of exactly `count` points of the cloud: a seeded subset where it has more, seeded even
/// repeats (each point ⌊count/n⌋ or ⌈count/n⌉ times) where it has fewer. Throws
/// std::invalid_argument for an empty cloud.
std::vector<std::int32_t> resample(const PointsView& points, std::int32_t count, std::uint64_t seed,
                                   SamplingMethod method = SamplingMethod::uniform);

}  // namespace pointtree::geometry

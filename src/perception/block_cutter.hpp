// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// A square column of a scene: the indices of its points, ascending.
using Block = std::vector<std::uint32_t>;

/// Cuts a levelled cloud into columns of about the wanted size that cover its extent evenly,
/// nearest first; columns overlap where the stride is less than the size. O(n log n) for a bounded
/// overlap.
std::vector<Block> cut_blocks(const PointBuffer& points, const BlockConfig& config);

}  // namespace pointtree::perception

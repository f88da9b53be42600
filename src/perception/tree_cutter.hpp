// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perception/block_cutter.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Cuts a levelled cloud into the fewest blocks of at most `most` points: the upper levels of a
/// relaxed k-d tree seen from above. Each cut is across the direction in which the points spread
/// most and divides them in proportion to the blocks on either side, so that all blocks are about
/// equally full whatever the density: small near the sensor, large far from it. Every point is in
/// one block; indices ascend. `across` turns the first cut by a right angle, for another set of
/// blocks. O(n log blocks).
std::vector<Block> cut_tree_blocks(const PointBuffer& points, int most, bool across = false);

}  // namespace pointtree::perception

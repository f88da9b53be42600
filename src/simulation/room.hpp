// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/scene.hpp"

namespace pointtree::simulation {

/// The thirteen classes of S3DIS: ceiling, floor, wall, beam, column, window, door, table, chair,
/// sofa, bookcase, board, clutter.
const std::vector<std::string>& room_classes();

/// A furnished room with its corner at the origin. Every seed is another room, the same on every
/// call. Its way is a walk through the free middle, 1.5 m above the floor.
Scene make_room(std::uint64_t seed);

}  // namespace pointtree::simulation

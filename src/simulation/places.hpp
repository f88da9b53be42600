// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/scene.hpp"

namespace pointtree::simulation {

/// The classes of a street's points: road, sidewalk, building, then kinds of objects.
const std::vector<std::string>& street_classes();

/// How a street looks.
struct StreetConfig {
  double length = 80.0;  ///< metres along x, from 0
  double density = 1.0;  ///< of the objects on it
  double slope = 0.05;   ///< steepest fall or rise along it; its own slope is drawn up to this
};

/// A street along x with kerbs, sidewalks, buildings, parked cars, people, trees and street
/// furniture. Every seed is another street, the same on every call. Its way runs along the middle
/// half of a lane, 1.8 m above the road.
Scene make_street(std::uint64_t seed, const StreetConfig& config = {});

/// The thirteen classes of S3DIS: ceiling, floor, wall, beam, column, window, door, table, chair,
/// sofa, bookcase, board, clutter.
const std::vector<std::string>& room_classes();

/// A furnished room with its corner at the origin. Every seed is another room, the same on every
/// call. Its way is a walk through the free middle, 1.5 m above the floor.
Scene make_room(std::uint64_t seed);

}  // namespace pointtree::simulation

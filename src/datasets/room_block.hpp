// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/geometry/random.hpp"
#include "simulation/scene.hpp"

namespace pointtree::datasets {

/// Channels of points in rooms: height above the floor in metres, and colour, 0 to 1.
inline std::vector<std::string> room_channels() {
  std::vector<std::string> names = {geometry::kHeightChannel};
  names.insert(names.end(), geometry::kColourChannels.begin(), geometry::kColourChannels.end());
  return names;
}

/// How much a column holds.
struct BlockShape {
  std::int32_t points = 4096;
  double edge = 1.0;  ///< m
};

/// An upright square column somewhere in a room, turned anyhow: up to so many labelled points
/// spread evenly over the surfaces in it, or over what one to three eyes on the room's way see of
/// them.
Example cut_block(const simulation::Scene& room, const BlockShape& shape, bool seen_only,
                  geometry::Random& random);

}  // namespace pointtree::datasets

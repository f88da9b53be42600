// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/geometry/random.hpp"
#include "simulation/scene.hpp"

namespace pointtree::datasets {

/// An upright column of 1 m × 1 m somewhere in a room, turned anyhow: up to `count` labelled points
/// spread evenly over the surfaces in it, or over what one to three eyes on the room's way see of
/// them.
Example cut_block(const simulation::Scene& room, std::int32_t count, bool seen_only,
                  geometry::Random& random);

}  // namespace pointtree::datasets

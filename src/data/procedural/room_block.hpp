#pragma once

#include <cstdint>

#include "pointtree/data/dataset.hpp"
#include "pointtree/data/procedural/scene.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::data::procedural {

/// An upright column of 1 m × 1 m somewhere in a room, turned anyhow: up to `count` labelled points
/// spread evenly over the surfaces in it, or over what one to three eyes on the room's way see of
/// them.
Example cut_block(const Scene& room, std::int32_t count, bool seen_only, geometry::Random& random);

}  // namespace pointtree::data::procedural

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simulation/solids.hpp"

namespace pointtree::simulation {

/// A hole in a wall: from left to right along it, from bottom to top.
struct Opening {
  float left = 0.0F;
  float right = 0.0F;
  float bottom = 0.0F;
  float top = 0.0F;
};

/// An upright wall surface from `corner` along a level direction, without the openings.
TriangleMesh pierced_wall(const Vec3& corner, const Vec3& along, float length, float height,
                          const std::vector<Opening>& openings);

/// What fills an opening: a pane set back by `depth` and its reveals (the faces between wall and
/// pane).
struct OpeningFill {
  TriangleMesh pane;
  TriangleMesh reveals;
};
OpeningFill fill_opening(const Vec3& corner, const Vec3& along, const Vec3& inwards,
                         const Opening& opening, float depth);

}  // namespace pointtree::simulation

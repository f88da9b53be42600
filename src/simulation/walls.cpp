// SPDX-License-Identifier: Apache-2.0
#include "walls.hpp"

#include <algorithm>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// Places where the wall is cut, so that every opening is made of whole cells.
std::vector<float> cuts(float length, std::vector<float> places) {
  places.push_back(0.0F);
  places.push_back(length);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

TriangleMesh pierced_wall(const Vec3& corner, const Vec3& along, float length, float height,
                          const std::vector<Opening>& openings) {
  std::vector<float> across;
  std::vector<float> up;
  for (const Opening& opening : openings) {
    across.insert(across.end(), {opening.left, opening.right});
    up.insert(up.end(), {opening.bottom, opening.top});
  }
  across = cuts(length, across);
  up = cuts(height, up);
  TriangleMesh wall;
  for (std::size_t i = 0; i + 1 < across.size(); ++i) {
    for (std::size_t j = 0; j + 1 < up.size(); ++j) {
      const float x = (across[i] + across[i + 1]) / 2;
      const float z = (up[j] + up[j + 1]) / 2;
      const bool open = std::any_of(openings.begin(), openings.end(), [&](const Opening& o) {
        return x > o.left && x < o.right && z > o.bottom && z < o.top;
      });
      if (open) continue;
      wall.append(panel(corner + along * across[i] + Vec3::UnitZ() * up[j],
                        along * (across[i + 1] - across[i]), Vec3::UnitZ() * (up[j + 1] - up[j])));
    }
  }
  return wall;
}

OpeningFill fill_opening(const Vec3& corner, const Vec3& along, const Vec3& inwards,
                         const Opening& opening, float depth) {
  const Vec3 low = corner + along * opening.left + Vec3::UnitZ() * opening.bottom;
  const Vec3 width = along * (opening.right - opening.left);
  const Vec3 height = Vec3::UnitZ() * (opening.top - opening.bottom);
  const Vec3 back = inwards * depth;
  OpeningFill fill;
  fill.pane = panel(low + back, width, height);
  fill.reveals = join({panel(low, back, height), panel(low + width, back, height),
                       panel(low, width, back), panel(low + height, width, back)});
  return fill;
}

// What a lidar sees as one piece of a building: a length of its front, perhaps with a corner.
TriangleMesh make_building(Random& random) {
  const float length = between(random, 1.5, 9.0);
  const float height = between(random, 1.8, 7.0);
  std::vector<Opening> openings;
  const float bay = between(random, 2.0, 3.6);
  for (float middle = bay * between(random, 0.2, 0.8); middle + 0.6F < length; middle += bay) {
    if (middle < 0.6F) continue;
    const bool door = geometry::chance(random, 0.2);
    const float half = door ? 0.5F : between(random, 0.35, 0.6);
    const float bottom = door ? 0.0F : 0.9F;
    if (height > 2.4F) openings.push_back({middle - half, middle + half, bottom, 2.2F});
    if (height > 5.4F) openings.push_back({middle - half, middle + half, 3.8F, 5.2F});
  }
  const Vec3 corner = Vec3::Zero();
  TriangleMesh building = pierced_wall(corner, Vec3::UnitY(), length, height, openings);
  for (const Opening& opening : openings) {
    const OpeningFill fill =
        fill_opening(corner, Vec3::UnitY(), -Vec3::UnitX(), opening, between(random, 0.08, 0.2));
    building.append(fill.pane);
    building.append(fill.reveals);
  }
  if (geometry::chance(random, 0.35)) {
    building.append(
        panel(corner, -Vec3::UnitX() * between(random, 0.5, 4.0), Vec3::UnitZ() * height));
  } else {
    building.append(panel(corner, -Vec3::UnitX() * 0.05F, Vec3::UnitZ() * height));
  }
  return building;
}

}  // namespace pointtree::simulation

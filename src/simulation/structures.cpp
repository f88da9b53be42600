// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {

TriangleMesh make_cone(Random& random) {
  const float height = between(random, 0.45, 0.95);
  const float radius = height * between(random, 0.2, 0.32);
  if (geometry::chance(random, 0.3)) return lathe({{radius * 1.6F, 0.0F}, {0.0F, height}}, 28);
  TriangleMesh cone = block({0.0F, 0.0F, 0.0F}, {radius * 2.6F, radius * 2.6F, height * 0.04F});
  cone.append(lathe({{radius, height * 0.04F}, {radius * 0.2F, height}}, 24));
  return cone;
}

TriangleMesh make_curtain(Random& random) {
  const float width = between(random, 0.8, 2.2);
  const float height = between(random, 1.4, 2.5);
  const float fold = between(random, 0.03, 0.08);
  const int folds = 5 + static_cast<int>(random.below(8));
  const bool parted = geometry::chance(random, 0.4);
  TriangleMesh curtain;
  const int columns = folds * 8;
  constexpr int kRows = 8;
  for (int row = 0; row <= kRows; ++row) {
    const float t = static_cast<float>(row) / kRows;
    for (int column = 0; column <= columns; ++column) {
      const float s = static_cast<float>(column) / static_cast<float>(columns);
      float y = width * (s - 0.5F);
      // Parted curtains are gathered at the sides below the middle.
      if (parted) y += (y > 0.0F ? 1.0F : -1.0F) * (width / 2 - std::abs(y)) * 0.6F * (1.0F - t);
      curtain.vertices.emplace_back(fold * std::sin(6.2831853F * s * static_cast<float>(folds)), y,
                                    height * t);
    }
  }
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int at = row * (columns + 1) + column;
      curtain.triangles.emplace_back(at, at + 1, at + columns + 2);
      curtain.triangles.emplace_back(at, at + columns + 2, at + columns + 1);
    }
  }
  curtain.append(rod({0.0F, -width * 0.55F, height}, {0.0F, width * 0.55F, height}, 0.02F));
  return curtain;
}

TriangleMesh make_door(Random& random) {
  const float width = between(random, 0.75, 1.0);
  const float height = between(random, 1.95, 2.2);
  const float frame = between(random, 0.04, 0.1);
  TriangleMesh leaf = box({-0.02F, -width / 2, 0.005F}, {0.02F, width / 2, height});
  const int panels = 1 + static_cast<int>(random.below(3));
  for (int i = 0; i < panels; ++i) {
    const float low = height * (0.08F + 0.86F * static_cast<float>(i) / static_cast<float>(panels));
    const float high =
        height * (0.02F + 0.86F * static_cast<float>(i + 1) / static_cast<float>(panels));
    leaf.append(box({-0.035F, -width * 0.36F, low}, {0.035F, width * 0.36F, high}));
  }
  for (const float side : {-1.0F, 1.0F})
    leaf.append(ball({side * 0.06F, width * 0.42F, 1.0F}, 0.03F));
  TriangleMesh door = leaf;
  if (geometry::chance(random, 0.7)) {
    const float open = geometry::chance(random, 0.3) ? between(random, 0.2, 1.2) : 0.0F;
    door = turned(leaf, {0.0F, -width / 2, 0.0F}, Vec3::UnitZ(), open);
    for (const float side : {-1.0F, 1.0F}) {
      door.append(block({0.0F, side * (width + frame) / 2, 0.0F}, {0.14F, frame, height + frame}));
    }
    door.append(box({-0.07F, -width / 2, height}, {0.07F, width / 2, height + frame}));
  }
  return door;
}

TriangleMesh make_glass_box(Random& random) {
  const float length = between(random, 0.3, 1.0);
  const float width = length * between(random, 0.4, 1.0);
  const float height = length * between(random, 0.4, 0.9);
  const float bar = 0.012F + length * 0.012F;
  TriangleMesh mesh = block({0.0F, 0.0F, 0.0F}, {length, width, bar});
  mesh.append(legs(length / 2 - bar / 2, width / 2 - bar / 2, height, bar / 2, false));
  for (const float side : {-1.0F, 1.0F}) {
    mesh.append(block({side * (length - bar) / 2, 0.0F, height - bar}, {bar, width, bar}));
    mesh.append(block({0.0F, side * (width - bar) / 2, height - bar}, {length, bar, bar}));
    mesh.append(block({side * (length - bar) / 2, 0.0F, 0.0F}, {0.004F, width, height}));
    mesh.append(block({0.0F, side * (width - bar) / 2, 0.0F}, {length, 0.004F, height}));
  }
  if (geometry::chance(random, 0.5))
    mesh.append(block({0.0F, 0.0F, height - bar / 2}, {length, width, 0.004F}));
  return mesh;
}

TriangleMesh make_stairs(Random& random) {
  const int steps = 5 + static_cast<int>(random.below(9));
  const float rise = between(random, 0.15, 0.2);
  const float tread = between(random, 0.24, 0.32);
  const float width = between(random, 0.8, 1.4);
  const bool solid = geometry::chance(random, 0.5);
  TriangleMesh stairs;
  for (int i = 0; i < steps; ++i) {
    const float x = -tread * static_cast<float>(i);
    const float z = rise * static_cast<float>(i + 1);
    stairs.append(
        box({x - tread, -width / 2, solid ? 0.0F : z - 0.04F}, {x + 0.02F, width / 2, z}));
  }
  const Vec3 low(0.0F, 0.0F, rise);
  const Vec3 high(-tread * static_cast<float>(steps - 1), 0.0F, rise * static_cast<float>(steps));
  for (const float side : {-1.0F, 1.0F}) {
    const Vec3 beside(0.0F, side * width / 2, 0.0F);
    if (!solid)
      stairs.append(rod(low + beside - Vec3(0.0F, 0.0F, 0.1F),
                        high + beside - Vec3(0.0F, 0.0F, 0.1F), 0.04F));
    if (solid && side > 0.0F) continue;
    const Vec3 rail(0.0F, 0.0F, 0.9F);
    stairs.append(rod(low + beside + rail, high + beside + rail, 0.025F));
    for (int i = 0; i < steps; i += 2) {
      const Vec3 foot(-tread * static_cast<float>(i), side * width / 2,
                      rise * static_cast<float>(i + 1));
      stairs.append(rod(foot, foot + rail, 0.015F));
    }
  }
  return stairs;
}

TriangleMesh make_tent(Random& random) {
  const float length = between(random, 1.9, 3.2);
  const float width = between(random, 1.3, 2.6);
  const float height = between(random, 1.1, 1.9);
  TriangleMesh tent;
  if (geometry::chance(random, 0.6)) {  // ridge tent
    for (const float side : {-1.0F, 1.0F}) {
      tent.append(panel({-length / 2, side * width / 2, 0.0F}, {length, 0.0F, 0.0F},
                        {0.0F, -side * width / 2, height}, 0.5F));
    }
    for (const float end : {-1.0F, 1.0F}) {
      if (end > 0.0F && geometry::chance(random, 0.5)) continue;
      tent.vertices.emplace_back(end * length / 2, -width / 2, 0.0F);
      tent.vertices.emplace_back(end * length / 2, width / 2, 0.0F);
      tent.vertices.emplace_back(end * length / 2, 0.0F, height);
      const auto last = static_cast<int>(tent.vertices.size());
      tent.triangles.emplace_back(last - 3, last - 2, last - 1);
    }
    return tent;
  }
  // Dome of crossing arcs.
  std::vector<Vec2> profile;
  for (int i = 0; i <= 8; ++i) {
    const float angle = 1.5708F * static_cast<float>(i) / 8.0F;
    profile.emplace_back(std::cos(angle), std::sin(angle));
  }
  tent = lathe(profile, 8 + 4 * static_cast<int>(random.below(3)), false);
  for (Vec3& v : tent.vertices) v = Vec3(v.x() * length / 2, v.y() * width / 2, v.z() * height);
  return tent;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

TriangleMesh make_cone(Draw& draw) {
  const float height = draw(0.45, 0.95);
  const float radius = height * draw(0.2, 0.32);
  if (draw.chance(0.3)) return lathe({{radius * 1.6F, 0.0F}, {0.0F, height}}, 28);
  TriangleMesh cone = block(Vec3::Zero(), {radius * 2.6F, radius * 2.6F, height * 0.04F});
  cone += lathe({{radius, height * 0.04F}, {radius * 0.2F, height}}, 24);
  return cone;
}

TriangleMesh make_curtain(Draw& draw) {
  const float width = draw(0.8, 2.2);
  const float height = draw(1.4, 2.5);
  const float fold = draw(0.03, 0.08);
  const int folds = draw.from(5, 12);
  const bool parted = draw.chance(0.4);
  TriangleMesh curtain;
  const int columns = folds * 8;
  constexpr int kRows = 8;
  for (int row = 0; row <= kRows; ++row) {
    const float t = share(row, kRows);
    for (int column = 0; column <= columns; ++column) {
      const float s = share(column, columns);
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
  curtain += rod({0.0F, -width * 0.55F, height}, {0.0F, width * 0.55F, height}, 0.02F);
  return curtain;
}

TriangleMesh make_door(Draw& draw) {
  const float width = draw(0.75, 1.0);
  const float height = draw(1.95, 2.2);
  const float frame = draw(0.04, 0.1);
  TriangleMesh leaf = box({-0.02F, -width / 2, 0.005F}, {0.02F, width / 2, height});
  const int panels = draw.from(1, 3);
  for (int i = 0; i < panels; ++i) {
    const float low = height * (0.08F + 0.86F * static_cast<float>(i) / static_cast<float>(panels));
    const float high =
        height * (0.02F + 0.86F * static_cast<float>(i + 1) / static_cast<float>(panels));
    leaf += box({-0.035F, -width * 0.36F, low}, {0.035F, width * 0.36F, high});
  }
  for (const float side : {-1.0F, 1.0F}) leaf += ball({side * 0.06F, width * 0.42F, 1.0F}, 0.03F);
  TriangleMesh door = leaf;
  if (draw.chance(0.7)) {
    const float open = draw.chance(0.3) ? draw(0.2, 1.2) : 0.0F;
    door = turned(leaf, {0.0F, -width / 2, 0.0F}, Vec3::UnitZ(), open);
    for (const float side : {-1.0F, 1.0F}) {
      door += block({0.0F, side * (width + frame) / 2, 0.0F}, {0.14F, frame, height + frame});
    }
    door += box({-0.07F, -width / 2, height}, {0.07F, width / 2, height + frame});
  }
  return door;
}

TriangleMesh make_glass_box(Draw& draw) {
  const float length = draw(0.3, 1.0);
  const float width = length * draw(0.4, 1.0);
  const float height = length * draw(0.4, 0.9);
  const float bar = 0.012F + length * 0.012F;
  TriangleMesh mesh = block(Vec3::Zero(), {length, width, bar});
  mesh += legs(length / 2 - bar / 2, width / 2 - bar / 2, height, bar / 2, false);
  for (const float side : {-1.0F, 1.0F}) {
    mesh += block({side * (length - bar) / 2, 0.0F, height - bar}, {bar, width, bar});
    mesh += block({0.0F, side * (width - bar) / 2, height - bar}, {length, bar, bar});
    mesh += block({side * (length - bar) / 2, 0.0F, 0.0F}, {0.004F, width, height});
    mesh += block({0.0F, side * (width - bar) / 2, 0.0F}, {length, 0.004F, height});
  }
  if (draw.chance(0.5)) mesh += block(up(height - bar / 2), {length, width, 0.004F});
  return mesh;
}

TriangleMesh make_stairs(Draw& draw) {
  const int steps = draw.from(5, 13);
  const float rise = draw(0.15, 0.2);
  const float tread = draw(0.24, 0.32);
  const float width = draw(0.8, 1.4);
  const bool solid = draw.chance(0.5);
  TriangleMesh stairs;
  for (int i = 0; i < steps; ++i) {
    const float x = -tread * static_cast<float>(i);
    const float z = rise * static_cast<float>(i + 1);
    stairs += box({x - tread, -width / 2, solid ? 0.0F : z - 0.04F}, {x + 0.02F, width / 2, z});
  }
  const Vec3 low(0.0F, 0.0F, rise);
  const Vec3 high(-tread * static_cast<float>(steps - 1), 0.0F, rise * static_cast<float>(steps));
  for (const float side : {-1.0F, 1.0F}) {
    const Vec3 beside(0.0F, side * width / 2, 0.0F);
    if (!solid) stairs += rod(low + beside - up(0.1F), high + beside - up(0.1F), 0.04F);
    if (solid && side > 0.0F) continue;
    const Vec3 rail(0.0F, 0.0F, 0.9F);
    stairs += rod(low + beside + rail, high + beside + rail, 0.025F);
    for (int i = 0; i < steps; i += 2) {
      const Vec3 foot(-tread * static_cast<float>(i), side * width / 2,
                      rise * static_cast<float>(i + 1));
      stairs += rod(foot, foot + rail, 0.015F);
    }
  }
  return stairs;
}

TriangleMesh make_tent(Draw& draw) {
  const float length = draw(1.9, 3.2);
  const float width = draw(1.3, 2.6);
  const float height = draw(1.1, 1.9);
  TriangleMesh tent;
  if (draw.chance(0.6)) {  // ridge tent
    for (const float side : {-1.0F, 1.0F}) {
      tent += panel({-length / 2, side * width / 2, 0.0F}, {length, 0.0F, 0.0F},
                    {0.0F, -side * width / 2, height}, 0.5F);
    }
    for (const float end : {-1.0F, 1.0F}) {
      if (end > 0.0F && draw.chance(0.5)) continue;
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
  tent = lathe(profile, 8 + 4 * draw.from(0, 2), false);
  for (Vec3& v : tent.vertices) v = Vec3(v.x() * length / 2, v.y() * width / 2, v.z() * height);
  return tent;
}

}  // namespace

const std::vector<ObjectKind>& structures() {
  static const std::vector<ObjectKind> kKinds = {
      {"cone", make_cone},           {"curtain", make_curtain}, {"door", make_door},
      {"glass_box", make_glass_box}, {"stairs", make_stairs},   {"tent", make_tent}};
  return kKinds;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// A vessel with a wall: up the outside, back down the inside.
TriangleMesh hollow(std::vector<Vec2> outside, float wall, int sides = 28) {
  for (std::size_t i = outside.size(); i > 0; --i) {
    const Vec2 outer = outside[i - 1];
    outside.emplace_back(std::max(outer.x() - wall, 0.0F), i == 1 ? outer.y() + wall : outer.y());
  }
  return lathe(outside, sides);
}

// A rectangular basin: outer box, inner walls and floor.
TriangleMesh basin(float length, float width, float height, float wall, float floor) {
  TriangleMesh mesh = block(Vec3::Zero(), {length, width, floor});
  for (const float side : {-1.0F, 1.0F}) {
    mesh += block({side * (length - wall) / 2, 0.0F, 0.0F}, {wall, width, height});
    mesh += block({0.0F, side * (width - wall) / 2, 0.0F}, {length, wall, height});
  }
  return mesh;
}

// A leaf of two or three joined strips that bends down towards its tip.
TriangleMesh leaf(const Vec3& root, float direction, float rise, float length, float width) {
  TriangleMesh mesh;
  constexpr int kSegments = 4;
  const Vec3 outwards(std::cos(direction), std::sin(direction), 0.0F);
  const Vec3 sideways(-outwards.y(), outwards.x(), 0.0F);
  for (int i = 0; i <= kSegments; ++i) {
    const float t = share(i, kSegments);
    const Vec3 spine = root + outwards * (length * t * std::cos(rise)) +
                       up(length * (t * std::sin(rise) - 0.45F * t * t));
    const float half = width / 2 * std::sin(kTwoPi / 2 * (0.12F + 0.86F * t));
    mesh.vertices.emplace_back(spine - sideways * half);
    mesh.vertices.emplace_back(spine + sideways * half);
  }
  for (int i = 0; i < kSegments; ++i) {
    mesh.triangles.emplace_back(2 * i, 2 * i + 1, 2 * i + 3);
    mesh.triangles.emplace_back(2 * i, 2 * i + 3, 2 * i + 2);
  }
  return mesh;
}

TriangleMesh pot(float radius, float height, Draw& draw) {
  const float bottom = radius * draw(0.6, 0.95);
  TriangleMesh mesh = hollow({{bottom, 0.0F},
                              {radius, height * 0.85F},
                              {radius * 1.06F, height * 0.87F},
                              {radius * 1.06F, height}},
                             radius * 0.1F);
  mesh += rod(up(height * 0.8F), up(height * 0.82F), radius * 0.92F, radius * 0.92F, 20);
  return mesh;
}

TriangleMesh foliage(float base, float reach, int leaves, Draw& draw) {
  TriangleMesh mesh;
  for (int i = 0; i < leaves; ++i) {
    const Vec3 root{draw(-0.02, 0.02), draw(-0.02, 0.02), base + draw(0.0, reach * 0.5)};
    const float length = reach * draw(0.6, 1.1);
    const float direction = draw(0.0, kTwoPi);
    const float rise = draw(0.5, 1.4);
    mesh += leaf(root, direction, rise, length, length * draw(0.12, 0.3));
  }
  return mesh;
}

TriangleMesh make_bottle(Draw& draw) {
  const float radius = draw(0.03, 0.05);
  const float height = draw(0.2, 0.34);
  const float neck = radius * draw(0.28, 0.45);
  const float shoulder = height * draw(0.5, 0.72);
  const float rise = height * draw(0.08, 0.16);
  return lathe({{radius * 0.9F, 0.0F},
                {radius, height * 0.02F},
                {radius, shoulder},
                {radius * 0.85F, shoulder + rise * 0.4F},
                {neck, shoulder + rise},
                {neck, height * 0.94F},
                {neck * 1.2F, height * 0.95F},
                {neck * 1.2F, height}},
               24);
}

TriangleMesh make_bowl(Draw& draw) {
  const float radius = draw(0.07, 0.15);
  const float height = radius * draw(0.5, 0.95);
  std::vector<Vec2> outside = {{radius * 0.4F, 0.0F}};
  for (int i = 0; i <= 6; ++i) {
    const float t = share(i, 6);
    outside.emplace_back(radius * (0.4F + 0.6F * std::sin(t * 1.57F)),
                         height * (0.05F + 0.95F * (1.0F - std::cos(t * 1.57F))));
  }
  return hollow(outside, radius * 0.06F);
}

TriangleMesh make_cup(Draw& draw) {
  const float radius = draw(0.035, 0.05);
  const float height = draw(0.08, 0.12);
  const float bottom = radius * draw(0.7, 1.0);
  TriangleMesh cup = hollow({{bottom, 0.0F}, {radius, height}}, radius * 0.1F);
  std::vector<Vec3> handle;
  const float reach = radius * draw(0.6, 0.9);
  for (int i = 0; i <= 8; ++i) {
    const float angle = kTwoPi / 2 * (share(i, 8) - 0.5F);
    handle.emplace_back(radius * 0.9F + reach * std::cos(angle), 0.0F,
                        height * (0.5F + 0.32F * std::sin(angle)));
  }
  cup += tube(handle, radius * 0.12F);
  if (draw.chance(0.3)) {
    cup += lathe({{radius * 0.6F, -0.012F},
                  {radius * 1.7F, 0.0F},
                  {radius * 1.7F, 0.004F},
                  {radius * 0.6F, -0.006F}});
  }
  return cup;
}

TriangleMesh make_vase(Draw& draw) {
  const float height = draw(0.2, 0.5);
  const float belly = height * draw(0.2, 0.35);
  const float neck = belly * draw(0.35, 0.75);
  const float foot = belly * draw(0.45, 0.8);
  const float place = draw(0.3, 0.6);
  std::vector<Vec2> outside = {{foot, 0.0F}};
  for (int i = 1; i <= 10; ++i) {
    const float t = share(i, 10);
    const float swell = std::exp(-std::pow((t - place) / 0.28F, 2.0F));
    const float lip = t > 0.88F ? (t - 0.88F) * 2.0F : 0.0F;
    const float straight = foot + (neck - foot) * t;
    outside.emplace_back(straight + (belly - straight) * swell + belly * lip, height * t);
  }
  return hollow(outside, belly * 0.08F);
}

TriangleMesh make_flower_pot(Draw& draw) {
  const float radius = draw(0.1, 0.2);
  const float height = radius * draw(1.2, 2.0);
  TriangleMesh mesh = pot(radius, height, draw);
  const float reach = radius * draw(1.0, 1.8);
  const int leaves = draw.from(14, 27);
  mesh += foliage(height * 0.8F, reach, leaves, draw);
  if (draw.chance(0.5)) {
    for (int i = 0; i < 5; ++i) {
      const Vec3 top{draw(-radius, radius) * 1.2F, draw(-radius, radius) * 1.2F,
                     height + radius * draw(1.0, 1.8)};
      mesh += rod(up(height * 0.8F), top, 0.004F, 0.004F, 5);
      mesh += ball(top, Vec3::Constant(radius * 0.2F), 8);
    }
  }
  return mesh;
}

TriangleMesh make_plant(Draw& draw) {
  const float radius = draw(0.12, 0.22);
  const float height = radius * draw(1.0, 1.8);
  const float stem = draw(0.2, 0.9);
  TriangleMesh mesh = pot(radius, height, draw);
  const int stems = draw.from(1, 4);
  for (int i = 0; i < stems; ++i) {
    const Vec3 top{draw(-0.25, 0.25) * stem, draw(-0.25, 0.25) * stem,
                   height + stem * draw(0.6, 1.0)};
    mesh += rod(up(height * 0.8F), top, 0.012F, 0.008F, 6);
    const float reach = draw(0.3, 0.5);
    const int leaves = 24 / stems + draw.from(0, 11);
    const TriangleMesh crown = foliage(0.0F, reach, leaves, draw);
    mesh += moved(crown, top - up(0.1F));
  }
  return mesh;
}

TriangleMesh make_bathtub(Draw& draw) {
  const float length = draw(1.5, 1.8);
  const float width = draw(0.7, 0.85);
  const float height = draw(0.5, 0.62);
  if (draw.chance(0.5)) {
    TriangleMesh tub = basin(length, width, height, draw(0.06, 0.12), 0.12F);
    tub +=
        rod({length / 2 - 0.04F, 0.0F, height}, {length / 2 - 0.04F, 0.0F, height + 0.15F}, 0.02F);
    return tub;
  }
  TriangleMesh tub =
      hollow({{0.36F, 0.1F}, {0.44F, 0.3F}, {0.47F, 0.9F}, {0.52F, 0.92F}, {0.52F, 1.0F}}, 0.05F);
  for (Vec3& v : tub.vertices) v = Vec3(v.x() * length, v.y() * width, v.z() * height);
  tub += legs(length * 0.28F, width * 0.22F, height * 0.15F, 0.03F, true, 0.02F);
  return tub;
}

TriangleMesh make_sink(Draw& draw) {
  const float length = draw(0.42, 0.6);
  const float width = draw(0.45, 0.8);
  const float depth = draw(0.14, 0.22);
  TriangleMesh sink;
  if (draw.chance(0.5)) {
    sink = basin(length, width, depth, draw(0.03, 0.08), 0.03F);
  } else {
    sink = hollow({{0.2F, 0.0F}, {0.36F, 0.3F}, {0.46F, 0.8F}, {0.5F, 1.0F}}, 0.05F);
    for (Vec3& v : sink.vertices) v = Vec3(v.x() * length, v.y() * width, v.z() * depth);
  }
  const float x = -length / 2 + 0.04F;
  sink += tube({{x, 0.0F, depth},
                {x, 0.0F, depth + 0.2F},
                {x + 0.08F, 0.0F, depth + 0.24F},
                {x + 0.16F, 0.0F, depth + 0.18F}},
               0.014F);
  for (const float side : {-1.0F, 1.0F})
    sink += rod({x, side * 0.08F, depth}, {x, side * 0.08F, depth + 0.06F}, 0.018F);
  if (draw.chance(0.35)) {
    const float stand = draw(0.6, 0.7);
    sink = moved(sink, up(stand));
    sink += lathe({{0.13F, 0.0F}, {0.09F, 0.1F}, {0.08F, stand * 0.7F}, {0.12F, stand}});
  }
  return sink;
}

}  // namespace

const std::vector<ObjectKind>& vessels() {
  static const std::vector<ObjectKind> kKinds = {{"bottle", make_bottle},
                                                 {"bowl", make_bowl},
                                                 {"cup", make_cup},
                                                 {"vase", make_vase},
                                                 {"flower_pot", make_flower_pot},
                                                 {"plant", make_plant},
                                                 {"bathtub", make_bathtub},
                                                 {"sink", make_sink}};
  return kKinds;
}

}  // namespace pointtree::simulation

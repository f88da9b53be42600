// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

constexpr float kTwoPi = 6.2831853F;

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
  TriangleMesh mesh = block({0.0F, 0.0F, 0.0F}, {length, width, floor});
  for (const float side : {-1.0F, 1.0F}) {
    mesh.append(block({side * (length - wall) / 2, 0.0F, 0.0F}, {wall, width, height}));
    mesh.append(block({0.0F, side * (width - wall) / 2, 0.0F}, {length, wall, height}));
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
    const float t = static_cast<float>(i) / kSegments;
    const Vec3 spine = root + outwards * (length * t * std::cos(rise)) +
                       Vec3(0.0F, 0.0F, length * (t * std::sin(rise) - 0.45F * t * t));
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

TriangleMesh pot(float radius, float height, Random& random) {
  const float bottom = radius * between(random, 0.6, 0.95);
  TriangleMesh mesh = hollow({{bottom, 0.0F},
                              {radius, height * 0.85F},
                              {radius * 1.06F, height * 0.87F},
                              {radius * 1.06F, height}},
                             radius * 0.1F);
  mesh.append(rod({0.0F, 0.0F, height * 0.8F}, {0.0F, 0.0F, height * 0.82F}, radius * 0.92F,
                  radius * 0.92F, 20));
  return mesh;
}

TriangleMesh foliage(float base, float reach, int leaves, Random& random) {
  TriangleMesh mesh;
  for (int i = 0; i < leaves; ++i) {
    const Vec3 root{between(random, -0.02, 0.02), between(random, -0.02, 0.02),
                    base + between(random, 0.0, reach * 0.5)};
    const float length = reach * between(random, 0.6, 1.1);
    const float direction = between(random, 0.0, kTwoPi);
    const float rise = between(random, 0.5, 1.4);
    mesh.append(leaf(root, direction, rise, length, length * between(random, 0.12, 0.3)));
  }
  return mesh;
}

}  // namespace

TriangleMesh make_bottle(Random& random) {
  const float radius = between(random, 0.03, 0.05);
  const float height = between(random, 0.2, 0.34);
  const float neck = radius * between(random, 0.28, 0.45);
  const float shoulder = height * between(random, 0.5, 0.72);
  const float rise = height * between(random, 0.08, 0.16);
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

TriangleMesh make_bowl(Random& random) {
  const float radius = between(random, 0.07, 0.15);
  const float height = radius * between(random, 0.5, 0.95);
  std::vector<Vec2> outside = {{radius * 0.4F, 0.0F}};
  for (int i = 0; i <= 6; ++i) {
    const float t = static_cast<float>(i) / 6.0F;
    outside.emplace_back(radius * (0.4F + 0.6F * std::sin(t * 1.57F)),
                         height * (0.05F + 0.95F * (1.0F - std::cos(t * 1.57F))));
  }
  return hollow(outside, radius * 0.06F);
}

TriangleMesh make_cup(Random& random) {
  const float radius = between(random, 0.035, 0.05);
  const float height = between(random, 0.08, 0.12);
  const float bottom = radius * between(random, 0.7, 1.0);
  TriangleMesh cup = hollow({{bottom, 0.0F}, {radius, height}}, radius * 0.1F);
  std::vector<Vec3> handle;
  const float reach = radius * between(random, 0.6, 0.9);
  for (int i = 0; i <= 8; ++i) {
    const float angle = kTwoPi / 2 * (static_cast<float>(i) / 8.0F - 0.5F);
    handle.emplace_back(radius * 0.9F + reach * std::cos(angle), 0.0F,
                        height * (0.5F + 0.32F * std::sin(angle)));
  }
  cup.append(tube(handle, radius * 0.12F));
  if (geometry::chance(random, 0.3)) {
    cup.append(lathe({{radius * 0.6F, -0.012F},
                      {radius * 1.7F, 0.0F},
                      {radius * 1.7F, 0.004F},
                      {radius * 0.6F, -0.006F}}));
  }
  return cup;
}

TriangleMesh make_vase(Random& random) {
  const float height = between(random, 0.2, 0.5);
  const float belly = height * between(random, 0.2, 0.35);
  const float neck = belly * between(random, 0.35, 0.75);
  const float foot = belly * between(random, 0.45, 0.8);
  const float place = between(random, 0.3, 0.6);
  std::vector<Vec2> outside = {{foot, 0.0F}};
  for (int i = 1; i <= 10; ++i) {
    const float t = static_cast<float>(i) / 10.0F;
    const float swell = std::exp(-std::pow((t - place) / 0.28F, 2.0F));
    const float lip = t > 0.88F ? (t - 0.88F) * 2.0F : 0.0F;
    const float straight = foot + (neck - foot) * t;
    outside.emplace_back(straight + (belly - straight) * swell + belly * lip, height * t);
  }
  return hollow(outside, belly * 0.08F);
}

TriangleMesh make_flower_pot(Random& random) {
  const float radius = between(random, 0.1, 0.2);
  const float height = radius * between(random, 1.2, 2.0);
  TriangleMesh mesh = pot(radius, height, random);
  const float reach = radius * between(random, 1.0, 1.8);
  const int leaves = 14 + static_cast<int>(random.below(14));
  mesh.append(foliage(height * 0.8F, reach, leaves, random));
  if (geometry::chance(random, 0.5)) {
    for (int i = 0; i < 5; ++i) {
      const Vec3 top{between(random, -radius, radius) * 1.2F,
                     between(random, -radius, radius) * 1.2F,
                     height + radius * between(random, 1.0, 1.8)};
      mesh.append(rod({0.0F, 0.0F, height * 0.8F}, top, 0.004F, 0.004F, 5));
      mesh.append(ball(top, Vec3::Constant(radius * 0.2F), 8));
    }
  }
  return mesh;
}

TriangleMesh make_plant(Random& random) {
  const float radius = between(random, 0.12, 0.22);
  const float height = radius * between(random, 1.0, 1.8);
  const float stem = between(random, 0.2, 0.9);
  TriangleMesh mesh = pot(radius, height, random);
  const int stems = 1 + static_cast<int>(random.below(4));
  for (int i = 0; i < stems; ++i) {
    const Vec3 top{between(random, -0.25, 0.25) * stem, between(random, -0.25, 0.25) * stem,
                   height + stem * between(random, 0.6, 1.0)};
    mesh.append(rod({0.0F, 0.0F, height * 0.8F}, top, 0.012F, 0.008F, 6));
    const float reach = between(random, 0.3, 0.5);
    const int leaves = 24 / stems + static_cast<int>(random.below(12));
    const TriangleMesh crown = foliage(0.0F, reach, leaves, random);
    mesh.append(moved(crown, top - Vec3(0.0F, 0.0F, 0.1F)));
  }
  return mesh;
}

TriangleMesh make_bathtub(Random& random) {
  const float length = between(random, 1.5, 1.8);
  const float width = between(random, 0.7, 0.85);
  const float height = between(random, 0.5, 0.62);
  if (geometry::chance(random, 0.5)) {
    TriangleMesh tub = basin(length, width, height, between(random, 0.06, 0.12), 0.12F);
    tub.append(
        rod({length / 2 - 0.04F, 0.0F, height}, {length / 2 - 0.04F, 0.0F, height + 0.15F}, 0.02F));
    return tub;
  }
  TriangleMesh tub =
      hollow({{0.36F, 0.1F}, {0.44F, 0.3F}, {0.47F, 0.9F}, {0.52F, 0.92F}, {0.52F, 1.0F}}, 0.05F);
  for (Vec3& v : tub.vertices) v = Vec3(v.x() * length, v.y() * width, v.z() * height);
  tub.append(legs(length * 0.28F, width * 0.22F, height * 0.15F, 0.03F, true, 0.02F));
  return tub;
}

TriangleMesh make_sink(Random& random) {
  const float length = between(random, 0.42, 0.6);
  const float width = between(random, 0.45, 0.8);
  const float depth = between(random, 0.14, 0.22);
  TriangleMesh sink;
  if (geometry::chance(random, 0.5)) {
    sink = basin(length, width, depth, between(random, 0.03, 0.08), 0.03F);
  } else {
    sink = hollow({{0.2F, 0.0F}, {0.36F, 0.3F}, {0.46F, 0.8F}, {0.5F, 1.0F}}, 0.05F);
    for (Vec3& v : sink.vertices) v = Vec3(v.x() * length, v.y() * width, v.z() * depth);
  }
  const float x = -length / 2 + 0.04F;
  sink.append(tube({{x, 0.0F, depth},
                    {x, 0.0F, depth + 0.2F},
                    {x + 0.08F, 0.0F, depth + 0.24F},
                    {x + 0.16F, 0.0F, depth + 0.18F}},
                   0.014F));
  for (const float side : {-1.0F, 1.0F})
    sink.append(rod({x, side * 0.08F, depth}, {x, side * 0.08F, depth + 0.06F}, 0.018F));
  if (geometry::chance(random, 0.35)) {
    const float stand = between(random, 0.6, 0.7);
    sink = moved(sink, {0.0F, 0.0F, stand});
    sink.append(lathe({{0.13F, 0.0F}, {0.09F, 0.1F}, {0.08F, stand * 0.7F}, {0.12F, stand}}));
  }
  return sink;
}

}  // namespace pointtree::simulation

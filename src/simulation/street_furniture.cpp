// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

constexpr float kTwoPi = 6.2831853F;

// A rough ball of leaves: an ellipsoid whose surface is moved in and out.
TriangleMesh crown(const Vec3& centre, const Vec3& radii, Random& random) {
  TriangleMesh mesh = ball(centre, radii, 18);
  const Vec3 wave{between(random, 2.0, 5.0), between(random, 2.0, 5.0), between(random, 2.0, 5.0)};
  const Vec3 phase{between(random, 0.0, kTwoPi), between(random, 0.0, kTwoPi),
                   between(random, 0.0, kTwoPi)};
  for (Vec3& v : mesh.vertices) {
    const Vec3 unit = (v - centre).cwiseQuotient(radii);
    const float swell = 1.0F + 0.16F * (wave.cwiseProduct(unit) + phase).array().sin().sum();
    v = centre + (v - centre) * swell;
  }
  return mesh;
}

}  // namespace

TriangleMesh make_tree(Random& random) {
  const float height = between(random, 4.0, 9.0);
  const float trunk = height * between(random, 0.018, 0.03);
  const float bare = height * between(random, 0.25, 0.4);
  TriangleMesh tree = rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height * 0.75F}, trunk, trunk * 0.4F);
  if (geometry::chance(random, 0.25)) {  // conifer
    constexpr int kTiers = 5;
    for (int i = 0; i < kTiers; ++i) {
      const float t = static_cast<float>(i) / kTiers;
      const float low = bare * 0.5F + (height - bare * 0.5F) * t;
      const float radius = height * 0.22F * (1.0F - 0.85F * t);
      tree.append(
          moved(lathe({{radius, 0.0F}, {radius * 0.25F, height * 0.2F}}, 14), {0.0F, 0.0F, low}));
    }
    return tree;
  }
  const float reach = height * between(random, 0.18, 0.3);
  const int lumps = 4 + static_cast<int>(random.below(5));
  for (int i = 0; i < lumps; ++i) {
    const float angle =
        kTwoPi * (static_cast<float>(i) + between(random, 0.0, 0.6)) / static_cast<float>(lumps);
    const float out = reach * between(random, 0.3, 0.75);
    const Vec3 centre(out * std::cos(angle), out * std::sin(angle),
                      bare + (height - bare) * between(random, 0.25, 0.75));
    tree.append(
        rod({0.0F, 0.0F, bare * between(random, 0.8, 1.2)}, centre, trunk * 0.4F, trunk * 0.2F, 6));
    tree.append(
        crown(centre, Vec3(reach, reach, reach * 0.8F) * between(random, 0.5, 0.75), random));
  }
  return tree;
}

TriangleMesh make_bush(Random& random) {
  TriangleMesh bush;
  const float size = between(random, 0.5, 1.1);
  for (int i = 0; i < 4; ++i) {
    const float radius = size * between(random, 0.35, 0.55);
    bush.append(crown(
        {between(random, -0.5, 0.5) * size, between(random, -0.5, 0.5) * size, radius * 0.85F},
        Vec3::Constant(radius), random));
  }
  return bush;
}

TriangleMesh make_pole(Random& random) {
  const float radius = between(random, 0.05, 0.14);
  const float height = between(random, 3.0, 7.0);
  return rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height}, radius, radius * between(random, 0.6, 1.0));
}

TriangleMesh make_street_lamp(Random& random) {
  const float height = between(random, 4.5, 8.0);
  const float arm = between(random, 0.8, 2.0);
  TriangleMesh lamp = rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height}, 0.1F, 0.06F);
  lamp.append(rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 1.0F}, 0.13F));
  lamp.append(
      tube({{0.0F, 0.0F, height}, {arm * 0.4F, 0.0F, height + 0.3F}, {arm, 0.0F, height + 0.35F}},
           0.045F));
  lamp.append(block({arm + 0.2F, 0.0F, height + 0.27F}, {0.6F, 0.25F, 0.12F}));
  return lamp;
}

TriangleMesh make_traffic_sign(Random& random) {
  const float height = between(random, 2.1, 2.8);
  TriangleMesh sign = rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height + 0.5F}, 0.035F);
  const float size = between(random, 0.3, 0.45);
  const Vec3 front(0.04F, 0.0F, height);
  switch (random.below(3)) {
    case 0:
      sign.append(rod(front, front + Vec3(0.02F, 0.0F, 0.0F), size, size, 24));
      break;
    case 1:
      sign.append(rod(front, front + Vec3(0.02F, 0.0F, 0.0F), size * 1.15F, size * 1.15F, 3));
      break;
    default:
      sign.append(block(front - Vec3(0.0F, 0.0F, size), {0.02F, size * 1.8F, size * 2.0F}));
  }
  return sign;
}

TriangleMesh make_bollard(Random& random) {
  const float radius = between(random, 0.06, 0.12);
  const float height = between(random, 0.7, 1.1);
  return join({rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height}, radius),
               ball({0.0F, 0.0F, height}, {radius, radius, radius * 0.6F}, 12)});
}

TriangleMesh make_trash_bin(Random& random) {
  const float radius = between(random, 0.22, 0.32);
  const float height = between(random, 0.8, 1.1);
  if (geometry::chance(random, 0.5)) {
    TriangleMesh bin = lathe({{radius * 0.85F, 0.0F},
                              {radius, height * 0.9F},
                              {radius * 1.06F, height * 0.92F},
                              {radius * 0.5F, height}},
                             20);
    return bin;
  }
  TriangleMesh bin = block({0.0F, 0.0F, 0.12F}, {radius * 2, radius * 1.9F, height - 0.12F});
  bin.append(turned(block({0.0F, 0.0F, height}, {radius * 2.2F, radius * 2.1F, 0.06F}),
                    {0.0F, 0.0F, height}, Vec3::UnitY(), 0.12F));
  for (const float side : {-1.0F, 1.0F}) {
    bin.append(rod({-radius * 0.9F, side * radius * 0.8F, 0.1F},
                   {-radius * 0.9F, side * radius, 0.1F}, 0.1F));
  }
  return bin;
}

TriangleMesh make_fence(Random& random) {
  const float length = between(random, 2.5, 6.0);
  const float height = between(random, 0.9, 1.6);
  const bool pickets = geometry::chance(random, 0.5);
  TriangleMesh fence;
  for (const float z : {0.15F, 0.9F}) {
    fence.append(box({-0.02F, -length / 2, height * z}, {0.02F, length / 2, height * z + 0.06F}));
  }
  const float step = pickets ? 0.14F : 1.2F;
  const auto count = static_cast<int>(length / step);
  for (int i = 0; i <= count; ++i) {
    const float y = -length / 2 + length * static_cast<float>(i) / static_cast<float>(count);
    fence.append(block({0.0F, y, 0.0F}, {0.05F, pickets ? 0.07F : 0.09F, height}));
  }
  if (!pickets)
    fence.append(box({-0.005F, -length / 2, 0.1F}, {0.005F, length / 2, height * 0.9F}));
  return fence;
}

}  // namespace pointtree::simulation

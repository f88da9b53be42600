// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// A back of solid board, of bars across or of bars upright, leaning backwards from the edge of the
// seat.
TriangleMesh chair_back(float depth, float width, float seat, float height, Random& random) {
  TriangleMesh back;
  const float x = -depth / 2;
  const float thickness = between(random, 0.02, 0.05);
  switch (random.below(3)) {
    case 0:
      back = box({x, -width / 2, seat + between(random, 0.0, 0.1)},
                 {x + thickness, width / 2, seat + height});
      break;
    case 1:
      for (const float side : {-1.0F, 1.0F}) {
        back.append(rod({x, side * width * 0.45F, seat}, {x, side * width * 0.45F, seat + height},
                        thickness / 2));
      }
      for (int i = 0; i < 3; ++i) {
        const float z = seat + height * (0.4F + 0.22F * static_cast<float>(i));
        back.append(
            box({x, -width * 0.45F, z}, {x + thickness, width * 0.45F, z + height * 0.12F}));
      }
      break;
    default: {
      const int bars = 4 + static_cast<int>(random.below(4));
      for (int i = 0; i < bars; ++i) {
        const float y =
            width * 0.9F * (static_cast<float>(i) / static_cast<float>(bars - 1) - 0.5F);
        back.append(rod({x, y, seat}, {x, y, seat + height}, thickness / 3));
      }
      back.append(
          box({x, -width / 2, seat + height * 0.9F}, {x + thickness, width / 2, seat + height}));
    }
  }
  return turned(back, {x, 0.0F, seat}, Vec3::UnitY(), -between(random, 0.02, 0.25));
}

TriangleMesh swivel_foot(float height, float reach) {
  TriangleMesh foot = rod({0.0F, 0.0F, 0.06F}, {0.0F, 0.0F, height}, 0.03F);
  for (int i = 0; i < 5; ++i) {
    const float angle = 1.2566F * static_cast<float>(i);
    const Vec3 end(reach * std::cos(angle), reach * std::sin(angle), 0.05F);
    foot.append(rod({0.0F, 0.0F, 0.1F}, end, 0.025F));
    foot.append(ball(end, 0.035F));
  }
  return foot;
}

}  // namespace

TriangleMesh legs(float half_x, float half_y, float height, float radius, bool round, float splay) {
  TriangleMesh mesh;
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const Vec3 top(x * half_x, y * half_y, height);
      const Vec3 foot(x * (half_x + splay), y * (half_y + splay), 0.0F);
      mesh.append(round ? rod(foot, top, radius * 0.7F, radius)
                        : box(Vec3(foot.x() - radius, foot.y() - radius, 0.0F),
                              Vec3(foot.x() + radius, foot.y() + radius, height)));
    }
  }
  return mesh;
}

TriangleMesh make_chair(Random& random) {
  const float depth = between(random, 0.38, 0.52);
  const float width = between(random, 0.38, 0.55);
  const float seat = between(random, 0.42, 0.5);
  const float thickness = between(random, 0.03, 0.09);
  TriangleMesh chair = block({0.0F, 0.0F, seat - thickness}, {depth, width, thickness});
  if (geometry::chance(random, 0.25)) {
    chair.append(swivel_foot(seat - thickness, between(random, 0.25, 0.33)));
  } else {
    const float leg = between(random, 0.015, 0.03);
    const bool round = geometry::chance(random, 0.5);
    chair.append(legs(depth / 2 - 0.03F, width / 2 - 0.03F, seat - thickness, leg, round,
                      between(random, 0.0, 0.04)));
  }
  chair.append(chair_back(depth, width, seat, between(random, 0.35, 0.6), random));
  if (geometry::chance(random, 0.35)) {
    const float arm = seat + between(random, 0.18, 0.26);
    for (const float side : {-1.0F, 1.0F}) {
      const float y = side * (width / 2 + 0.01F);
      chair.append(block({0.0F, y, arm}, {depth * 0.9F, 0.05F, 0.03F}));
      chair.append(rod({depth * 0.3F, y, seat - thickness}, {depth * 0.3F, y, arm}, 0.015F));
      chair.append(rod({-depth * 0.4F, y, seat - thickness}, {-depth * 0.4F, y, arm}, 0.015F));
    }
  }
  return chair;
}

TriangleMesh make_stool(Random& random) {
  const float height = between(random, 0.4, 0.8);
  const float radius = between(random, 0.15, 0.22);
  const float thickness = between(random, 0.03, 0.08);
  const bool round = geometry::chance(random, 0.7);
  TriangleMesh stool =
      round ? rod({0.0F, 0.0F, height - thickness}, {0.0F, 0.0F, height}, radius, radius, 24)
            : block({0.0F, 0.0F, height - thickness}, {2 * radius, 1.6F * radius, thickness});
  if (geometry::chance(random, 0.3)) {
    stool.append(rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height - thickness}, 0.025F));
    stool.append(lathe({{radius * 0.95F, 0.0F}, {radius * 0.9F, 0.02F}, {0.03F, 0.05F}}));
  } else {
    const float leg = between(random, 0.012, 0.025);
    stool.append(legs(radius * 0.6F, radius * 0.6F, height - thickness, leg, true,
                      between(random, 0.02, 0.08)));
    const float rail = height * between(random, 0.25, 0.45);
    for (const float side : {-1.0F, 1.0F}) {
      stool.append(rod({-radius * 0.65F, side * radius * 0.65F, rail},
                       {radius * 0.65F, side * radius * 0.65F, rail}, 0.01F));
      stool.append(rod({side * radius * 0.65F, -radius * 0.65F, rail},
                       {side * radius * 0.65F, radius * 0.65F, rail}, 0.01F));
    }
  }
  return stool;
}

TriangleMesh make_sofa(Random& random) {
  const float depth = between(random, 0.8, 1.0);
  const float width = between(random, 1.4, 2.4);
  const float seat = between(random, 0.38, 0.46);
  const float back = between(random, 0.7, 0.95);
  const float arm_width = between(random, 0.12, 0.28);
  const float arm = between(random, 0.52, 0.68);
  const float foot = between(random, 0.0, 0.12);
  TriangleMesh sofa = block({0.0F, 0.0F, foot}, {depth, width, seat * 0.55F - foot});
  if (foot > 0.03F) sofa.append(legs(depth / 2 - 0.06F, width / 2 - 0.06F, foot, 0.03F, false));
  const int cushions = 2 + static_cast<int>(random.below(2));
  const float inner = width - 2 * arm_width;
  for (int i = 0; i < cushions; ++i) {
    const float y = inner * ((static_cast<float>(i) + 0.5F) / static_cast<float>(cushions) - 0.5F);
    const float cushion = inner / static_cast<float>(cushions) - 0.02F;
    sofa.append(block({0.1F, y, seat * 0.55F}, {depth - 0.22F, cushion, seat * 0.45F}));
    sofa.append(turned(block({-depth / 2 + 0.28F, y, seat}, {0.14F, cushion, back - seat}),
                       {-depth / 2 + 0.28F, 0.0F, seat}, Vec3::UnitY(), -0.15F));
  }
  sofa.append(box({-depth / 2, -width / 2, foot}, {-depth / 2 + 0.2F, width / 2, back}));
  for (const float side : {-1.0F, 1.0F}) {
    sofa.append(
        block({0.0F, side * (width - arm_width) / 2, foot}, {depth, arm_width, arm - foot}));
  }
  return sofa;
}

TriangleMesh make_bench(Random& random) {
  const float length = between(random, 1.1, 2.0);
  const float depth = between(random, 0.35, 0.5);
  const float seat = between(random, 0.4, 0.48);
  TriangleMesh bench;
  const int planks = 3 + static_cast<int>(random.below(3));
  for (int i = 0; i < planks; ++i) {
    const float x = depth * ((static_cast<float>(i) + 0.5F) / static_cast<float>(planks) - 0.5F);
    bench.append(block({x, 0.0F, seat - 0.04F},
                       {depth / static_cast<float>(planks) * 0.85F, length, 0.04F}));
  }
  const float inset = length * between(random, 0.32, 0.45);
  for (const float side : {-1.0F, 1.0F}) {
    bench.append(block({0.0F, side * inset, 0.0F},
                       {depth * 0.85F, between(random, 0.05, 0.12), seat - 0.04F}));
  }
  if (geometry::chance(random, 0.65)) {
    TriangleMesh back;
    for (int i = 0; i < 3; ++i) {
      const float z = seat + 0.12F + 0.13F * static_cast<float>(i);
      back.append(box({-depth / 2 - 0.03F, -length / 2, z}, {-depth / 2, length / 2, z + 0.09F}));
    }
    for (const float side : {-1.0F, 1.0F}) {
      back.append(box({-depth / 2 - 0.06F, side * inset - 0.03F, seat - 0.1F},
                      {-depth / 2 - 0.02F, side * inset + 0.03F, seat + 0.48F}));
    }
    bench.append(turned(back, {-depth / 2, 0.0F, seat}, Vec3::UnitY(), -0.2F));
  }
  return bench;
}

TriangleMesh make_toilet(Random& random) {
  const float seat = between(random, 0.38, 0.43);
  const float length = between(random, 0.42, 0.5);
  const float width = between(random, 0.34, 0.38);
  // Bowl: a lathe body stretched along x, hollow at the top.
  TriangleMesh bowl = lathe({{0.28F, 0.0F},
                             {0.27F, 0.1F},
                             {0.3F, 0.2F},
                             {0.48F, 0.36F},
                             {0.5F, 0.4F},
                             {0.4F, 0.4F},
                             {0.3F, 0.3F},
                             {0.12F, 0.25F}});
  for (Vec3& v : bowl.vertices)
    v = Vec3(v.x() * length + 0.12F, v.y() * width, v.z() / 0.4F * seat);
  const float tank = between(random, 0.33, 0.42);
  bowl.append(box({-0.3F, -0.2F, seat - 0.06F}, {-0.12F, 0.2F, seat + tank}));
  bowl.append(box({-0.31F, -0.21F, seat + tank}, {-0.11F, 0.21F, seat + tank + 0.03F}));
  bowl.append(box({-0.25F, -0.1F, 0.0F}, {0.0F, 0.1F, seat - 0.06F}));
  const float open = geometry::chance(random, 0.5) ? 1.45F : 0.0F;
  TriangleMesh lid = rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.025F}, 0.5F, 0.5F, 24);
  for (Vec3& v : lid.vertices)
    v = Vec3(v.x() * length + 0.12F, v.y() * width, v.z() + seat + 0.005F);
  bowl.append(turned(lid, {-0.1F, 0.0F, seat + 0.02F}, Vec3::UnitY(), -open));
  return bowl;
}

TriangleMesh make_bed(Random& random) {
  const float length = between(random, 1.9, 2.1);
  const float width = between(random, 0.9, 1.9);
  const float frame = between(random, 0.2, 0.35);
  const float mattress = between(random, 0.15, 0.28);
  TriangleMesh bed = block({0.0F, 0.0F, frame - 0.15F}, {length, width, 0.15F});
  bed.append(legs(length / 2 - 0.05F, width / 2 - 0.05F, frame - 0.15F, 0.04F, false));
  bed.append(block({0.0F, 0.0F, frame}, {length - 0.06F, width - 0.06F, mattress}));
  const float head = between(random, 0.75, 1.2);
  bed.append(box({-length / 2 - 0.06F, -width / 2, 0.0F}, {-length / 2, width / 2, head}));
  if (geometry::chance(random, 0.5)) {
    bed.append(box({length / 2, -width / 2, 0.0F},
                   {length / 2 + 0.05F, width / 2, frame + mattress + 0.15F}));
  }
  const int pillows = width > 1.3F ? 2 : 1;
  for (int i = 0; i < pillows; ++i) {
    const float y = width * ((static_cast<float>(i) + 0.5F) / static_cast<float>(pillows) - 0.5F);
    bed.append(ball({-length / 2 + 0.28F, y, frame + mattress + 0.05F},
                    {0.2F, width / static_cast<float>(pillows) * 0.4F, 0.09F}));
  }
  return bed;
}

}  // namespace pointtree::simulation

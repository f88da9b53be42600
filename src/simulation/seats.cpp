// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// A back of solid board, of bars across or of bars upright, leaning backwards from the edge of the
// seat.
TriangleMesh chair_back(float depth, float width, float seat, float height, Draw& draw) {
  TriangleMesh back;
  const float x = -depth / 2;
  const float thickness = draw(0.02, 0.05);
  switch (draw.from(0, 2)) {
    case 0:
      back = box({x, -width / 2, seat + draw(0.0, 0.1)}, {x + thickness, width / 2, seat + height});
      break;
    case 1:
      for (const float side : {-1.0F, 1.0F}) {
        back += rod({x, side * width * 0.45F, seat}, {x, side * width * 0.45F, seat + height},
                    thickness / 2);
      }
      for (int i = 0; i < 3; ++i) {
        const float z = seat + height * (0.4F + 0.22F * static_cast<float>(i));
        back += box({x, -width * 0.45F, z}, {x + thickness, width * 0.45F, z + height * 0.12F});
      }
      break;
    default: {
      const int bars = draw.from(4, 7);
      for (int i = 0; i < bars; ++i) {
        const float y =
            width * 0.9F * (static_cast<float>(i) / static_cast<float>(bars - 1) - 0.5F);
        back += rod({x, y, seat}, {x, y, seat + height}, thickness / 3);
      }
      back += box({x, -width / 2, seat + height * 0.9F}, {x + thickness, width / 2, seat + height});
    }
  }
  return turned(back, {x, 0.0F, seat}, Vec3::UnitY(), -draw(0.02, 0.25));
}

TriangleMesh swivel_foot(float height, float reach) {
  TriangleMesh foot = rod(up(0.06F), up(height), 0.03F);
  for (int i = 0; i < 5; ++i) {
    const float angle = 1.2566F * static_cast<float>(i);
    const Vec3 end(reach * std::cos(angle), reach * std::sin(angle), 0.05F);
    foot += rod(up(0.1F), end, 0.025F);
    foot += ball(end, 0.035F);
  }
  return foot;
}

TriangleMesh make_chair(Draw& draw) {
  const float depth = draw(0.38, 0.52);
  const float width = draw(0.38, 0.55);
  const float seat = draw(0.42, 0.5);
  const float thickness = draw(0.03, 0.09);
  TriangleMesh chair = block(up(seat - thickness), {depth, width, thickness});
  if (draw.chance(0.25)) {
    chair += swivel_foot(seat - thickness, draw(0.25, 0.33));
  } else {
    const float leg = draw(0.015, 0.03);
    const bool round = draw.chance(0.5);
    chair +=
        legs(depth / 2 - 0.03F, width / 2 - 0.03F, seat - thickness, leg, round, draw(0.0, 0.04));
  }
  chair += chair_back(depth, width, seat, draw(0.35, 0.6), draw);
  if (draw.chance(0.35)) {
    const float arm = seat + draw(0.18, 0.26);
    for (const float side : {-1.0F, 1.0F}) {
      const float y = side * (width / 2 + 0.01F);
      chair += block({0.0F, y, arm}, {depth * 0.9F, 0.05F, 0.03F});
      chair += rod({depth * 0.3F, y, seat - thickness}, {depth * 0.3F, y, arm}, 0.015F);
      chair += rod({-depth * 0.4F, y, seat - thickness}, {-depth * 0.4F, y, arm}, 0.015F);
    }
  }
  return chair;
}

TriangleMesh make_stool(Draw& draw) {
  const float height = draw(0.4, 0.8);
  const float radius = draw(0.15, 0.22);
  const float thickness = draw(0.03, 0.08);
  const bool round = draw.chance(0.7);
  TriangleMesh stool = round
                           ? rod(up(height - thickness), up(height), radius, radius, 24)
                           : block(up(height - thickness), {2 * radius, 1.6F * radius, thickness});
  if (draw.chance(0.3)) {
    stool += rod(Vec3::Zero(), up(height - thickness), 0.025F);
    stool += lathe({{radius * 0.95F, 0.0F}, {radius * 0.9F, 0.02F}, {0.03F, 0.05F}});
  } else {
    const float leg = draw(0.012, 0.025);
    stool += legs(radius * 0.6F, radius * 0.6F, height - thickness, leg, true, draw(0.02, 0.08));
    const float rail = height * draw(0.25, 0.45);
    for (const float side : {-1.0F, 1.0F}) {
      stool += rod({-radius * 0.65F, side * radius * 0.65F, rail},
                   {radius * 0.65F, side * radius * 0.65F, rail}, 0.01F);
      stool += rod({side * radius * 0.65F, -radius * 0.65F, rail},
                   {side * radius * 0.65F, radius * 0.65F, rail}, 0.01F);
    }
  }
  return stool;
}

TriangleMesh make_sofa(Draw& draw) {
  const float depth = draw(0.8, 1.0);
  const float width = draw(1.4, 2.4);
  const float seat = draw(0.38, 0.46);
  const float back = draw(0.7, 0.95);
  const float arm_width = draw(0.12, 0.28);
  const float arm = draw(0.52, 0.68);
  const float foot = draw(0.0, 0.12);
  TriangleMesh sofa = block(up(foot), {depth, width, seat * 0.55F - foot});
  if (foot > 0.03F) sofa += legs(depth / 2 - 0.06F, width / 2 - 0.06F, foot, 0.03F, false);
  const int cushions = draw.from(2, 3);
  const float inner = width - 2 * arm_width;
  for (int i = 0; i < cushions; ++i) {
    const float y = inner * in_row(i, cushions);
    const float cushion = inner / static_cast<float>(cushions) - 0.02F;
    sofa += block({0.1F, y, seat * 0.55F}, {depth - 0.22F, cushion, seat * 0.45F});
    sofa += turned(block({-depth / 2 + 0.28F, y, seat}, {0.14F, cushion, back - seat}),
                   {-depth / 2 + 0.28F, 0.0F, seat}, Vec3::UnitY(), -0.15F);
  }
  sofa += box({-depth / 2, -width / 2, foot}, {-depth / 2 + 0.2F, width / 2, back});
  for (const float side : {-1.0F, 1.0F}) {
    sofa += block({0.0F, side * (width - arm_width) / 2, foot}, {depth, arm_width, arm - foot});
  }
  return sofa;
}

TriangleMesh make_bench(Draw& draw) {
  const float length = draw(1.1, 2.0);
  const float depth = draw(0.35, 0.5);
  const float seat = draw(0.4, 0.48);
  TriangleMesh bench;
  const int planks = draw.from(3, 5);
  for (int i = 0; i < planks; ++i) {
    const float x = depth * in_row(i, planks);
    bench +=
        block({x, 0.0F, seat - 0.04F}, {depth / static_cast<float>(planks) * 0.85F, length, 0.04F});
  }
  const float inset = length * draw(0.32, 0.45);
  for (const float side : {-1.0F, 1.0F}) {
    bench += block({0.0F, side * inset, 0.0F}, {depth * 0.85F, draw(0.05, 0.12), seat - 0.04F});
  }
  if (draw.chance(0.65)) {
    TriangleMesh back;
    for (int i = 0; i < 3; ++i) {
      const float z = seat + 0.12F + 0.13F * static_cast<float>(i);
      back += box({-depth / 2 - 0.03F, -length / 2, z}, {-depth / 2, length / 2, z + 0.09F});
    }
    for (const float side : {-1.0F, 1.0F}) {
      back += box({-depth / 2 - 0.06F, side * inset - 0.03F, seat - 0.1F},
                  {-depth / 2 - 0.02F, side * inset + 0.03F, seat + 0.48F});
    }
    bench += turned(back, {-depth / 2, 0.0F, seat}, Vec3::UnitY(), -0.2F);
  }
  return bench;
}

TriangleMesh make_toilet(Draw& draw) {
  const float seat = draw(0.38, 0.43);
  const float length = draw(0.42, 0.5);
  const float width = draw(0.34, 0.38);
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
  const float tank = draw(0.33, 0.42);
  bowl += box({-0.3F, -0.2F, seat - 0.06F}, {-0.12F, 0.2F, seat + tank});
  bowl += box({-0.31F, -0.21F, seat + tank}, {-0.11F, 0.21F, seat + tank + 0.03F});
  bowl += box({-0.25F, -0.1F, 0.0F}, {0.0F, 0.1F, seat - 0.06F});
  const float open = draw.chance(0.5) ? 1.45F : 0.0F;
  TriangleMesh lid = rod(Vec3::Zero(), up(0.025F), 0.5F, 0.5F, 24);
  for (Vec3& v : lid.vertices)
    v = Vec3(v.x() * length + 0.12F, v.y() * width, v.z() + seat + 0.005F);
  bowl += turned(lid, {-0.1F, 0.0F, seat + 0.02F}, Vec3::UnitY(), -open);
  return bowl;
}

TriangleMesh make_bed(Draw& draw) {
  const float length = draw(1.9, 2.1);
  const float width = draw(0.9, 1.9);
  const float frame = draw(0.2, 0.35);
  const float mattress = draw(0.15, 0.28);
  TriangleMesh bed = block(up(frame - 0.15F), {length, width, 0.15F});
  bed += legs(length / 2 - 0.05F, width / 2 - 0.05F, frame - 0.15F, 0.04F, false);
  bed += block(up(frame), {length - 0.06F, width - 0.06F, mattress});
  const float head = draw(0.75, 1.2);
  bed += box({-length / 2 - 0.06F, -width / 2, 0.0F}, {-length / 2, width / 2, head});
  if (draw.chance(0.5)) {
    bed += box({length / 2, -width / 2, 0.0F},
               {length / 2 + 0.05F, width / 2, frame + mattress + 0.15F});
  }
  const int pillows = width > 1.3F ? 2 : 1;
  for (int i = 0; i < pillows; ++i) {
    const float y = width * in_row(i, pillows);
    bed += ball({-length / 2 + 0.28F, y, frame + mattress + 0.05F},
                {0.2F, width / static_cast<float>(pillows) * 0.4F, 0.09F});
  }
  return bed;
}

}  // namespace

TriangleMesh legs(float half_x, float half_y, float height, float radius, bool round, float splay) {
  TriangleMesh mesh;
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      const Vec3 top(x * half_x, y * half_y, height);
      const Vec3 foot(x * (half_x + splay), y * (half_y + splay), 0.0F);
      mesh += round ? rod(foot, top, radius * 0.7F, radius)
                    : box(Vec3(foot.x() - radius, foot.y() - radius, 0.0F),
                          Vec3(foot.x() + radius, foot.y() + radius, height));
    }
  }
  return mesh;
}

const std::vector<ObjectKind>& seats() {
  static const std::vector<ObjectKind> kKinds = {{"chair", make_chair},   {"stool", make_stool},
                                                 {"sofa", make_sofa},     {"bench", make_bench},
                                                 {"toilet", make_toilet}, {"bed", make_bed}};
  return kKinds;
}

}  // namespace pointtree::simulation

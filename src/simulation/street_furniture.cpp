// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"
#include "placement.hpp"

namespace pointtree::simulation {
namespace {

// A rough ball of leaves: an ellipsoid whose surface is moved in and out.
TriangleMesh crown(const Vec3& centre, const Vec3& radii, Draw& draw) {
  TriangleMesh mesh = ball(centre, radii, 18);
  const Vec3 wave{draw(2.0, 5.0), draw(2.0, 5.0), draw(2.0, 5.0)};
  const Vec3 phase{draw(0.0, kTwoPi), draw(0.0, kTwoPi), draw(0.0, kTwoPi)};
  for (Vec3& v : mesh.vertices) {
    const Vec3 unit = (v - centre).cwiseQuotient(radii);
    const float swell = 1.0F + 0.16F * (wave.cwiseProduct(unit) + phase).array().sin().sum();
    v = centre + (v - centre) * swell;
  }
  return mesh;
}

TriangleMesh make_tree(Draw& draw) {
  const float height = draw(4.0, 9.0);
  const float trunk = height * draw(0.018, 0.03);
  const float bare = height * draw(0.25, 0.4);
  TriangleMesh tree = rod(Vec3::Zero(), up(height * 0.75F), trunk, trunk * 0.4F);
  if (draw.chance(0.25)) {  // conifer
    constexpr int kTiers = 5;
    for (int i = 0; i < kTiers; ++i) {
      const float t = share(i, kTiers);
      const float low = bare * 0.5F + (height - bare * 0.5F) * t;
      const float radius = height * 0.22F * (1.0F - 0.85F * t);
      tree += moved(lathe({{radius, 0.0F}, {radius * 0.25F, height * 0.2F}}, 14), up(low));
    }
    return tree;
  }
  const float reach = height * draw(0.18, 0.3);
  const int lumps = draw.from(4, 8);
  for (int i = 0; i < lumps; ++i) {
    const float angle =
        kTwoPi * (static_cast<float>(i) + draw(0.0, 0.6)) / static_cast<float>(lumps);
    const float out = reach * draw(0.3, 0.75);
    const Vec3 centre(out * std::cos(angle), out * std::sin(angle),
                      bare + (height - bare) * draw(0.25, 0.75));
    tree += rod(up(bare * draw(0.8, 1.2)), centre, trunk * 0.4F, trunk * 0.2F, 6);
    tree += crown(centre, Vec3(reach, reach, reach * 0.8F) * draw(0.5, 0.75), draw);
  }
  return tree;
}

TriangleMesh make_bush(Draw& draw) {
  TriangleMesh bush;
  const float size = draw(0.5, 1.1);
  for (int i = 0; i < 4; ++i) {
    const float radius = size * draw(0.35, 0.55);
    bush += crown({draw(-0.5, 0.5) * size, draw(-0.5, 0.5) * size, radius * 0.85F},
                  Vec3::Constant(radius), draw);
  }
  return bush;
}

TriangleMesh make_pole(Draw& draw) {
  const float radius = draw(0.05, 0.14);
  const float height = draw(3.0, 7.0);
  return rod(Vec3::Zero(), up(height), radius, radius * draw(0.6, 1.0));
}

TriangleMesh make_street_lamp(Draw& draw) {
  const float height = draw(4.5, 8.0);
  const float arm = draw(0.8, 2.0);
  TriangleMesh lamp = rod(Vec3::Zero(), up(height), 0.1F, 0.06F);
  lamp += rod(Vec3::Zero(), up(1.0F), 0.13F);
  lamp +=
      tube({{0.0F, 0.0F, height}, {arm * 0.4F, 0.0F, height + 0.3F}, {arm, 0.0F, height + 0.35F}},
           0.045F);
  lamp += block({arm + 0.2F, 0.0F, height + 0.27F}, {0.6F, 0.25F, 0.12F});
  return lamp;
}

TriangleMesh make_traffic_sign(Draw& draw) {
  const float height = draw(2.1, 2.8);
  TriangleMesh sign = rod(Vec3::Zero(), up(height + 0.5F), 0.035F);
  const float size = draw(0.3, 0.45);
  const Vec3 front(0.04F, 0.0F, height);
  switch (draw.from(0, 2)) {
    case 0:
      sign += rod(front, front + Vec3(0.02F, 0.0F, 0.0F), size, size, 24);
      break;
    case 1:
      sign += rod(front, front + Vec3(0.02F, 0.0F, 0.0F), size * 1.15F, size * 1.15F, 3);
      break;
    default:
      sign += block(front - up(size), {0.02F, size * 1.8F, size * 2.0F});
  }
  return sign;
}

TriangleMesh make_bollard(Draw& draw) {
  const float radius = draw(0.06, 0.12);
  const float height = draw(0.7, 1.1);
  return join({rod(Vec3::Zero(), up(height), radius),
               ball(up(height), {radius, radius, radius * 0.6F}, 12)});
}

TriangleMesh make_trash_bin(Draw& draw) {
  const float radius = draw(0.22, 0.32);
  const float height = draw(0.8, 1.1);
  if (draw.chance(0.5)) {
    TriangleMesh bin = lathe({{radius * 0.85F, 0.0F},
                              {radius, height * 0.9F},
                              {radius * 1.06F, height * 0.92F},
                              {radius * 0.5F, height}},
                             20);
    return bin;
  }
  TriangleMesh bin = block(up(0.12F), {radius * 2, radius * 1.9F, height - 0.12F});
  bin += turned(block(up(height), {radius * 2.2F, radius * 2.1F, 0.06F}), up(height), Vec3::UnitY(),
                0.12F);
  for (const float side : {-1.0F, 1.0F}) {
    bin += rod({-radius * 0.9F, side * radius * 0.8F, 0.1F}, {-radius * 0.9F, side * radius, 0.1F},
               0.1F);
  }
  return bin;
}

TriangleMesh make_fence(Draw& draw) {
  const float length = draw(2.5, 6.0);
  const float height = draw(0.9, 1.6);
  const bool pickets = draw.chance(0.5);
  TriangleMesh fence;
  for (const float z : {0.15F, 0.9F}) {
    fence += box({-0.02F, -length / 2, height * z}, {0.02F, length / 2, height * z + 0.06F});
  }
  const float step = pickets ? 0.14F : 1.2F;
  const auto count = static_cast<int>(length / step);
  for (int i = 0; i <= count; ++i) {
    const float y = -length / 2 + length * static_cast<float>(i) / static_cast<float>(count);
    fence += block({0.0F, y, 0.0F}, {0.05F, pickets ? 0.07F : 0.09F, height});
  }
  if (!pickets) fence += box({-0.005F, -length / 2, 0.1F}, {0.005F, length / 2, height * 0.9F});
  return fence;
}

// A length of a building's front, perhaps with a corner: what clustering makes of a house.
TriangleMesh make_building(Draw& draw) {
  const float length = draw(1.5, 9.0);
  const float height = draw(1.8, 7.0);
  std::vector<Opening> openings;
  const float bay = draw(2.0, 3.6);
  for (float middle = bay * draw(0.2, 0.8); middle + 0.6F < length; middle += bay) {
    if (middle < 0.6F) continue;
    const bool door = draw.chance(0.2);
    const float half = door ? 0.5F : draw(0.35, 0.6);
    const float bottom = door ? 0.0F : 0.9F;
    if (height > 2.4F) openings.push_back({middle - half, middle + half, bottom, 2.2F});
    if (height > 5.4F) openings.push_back({middle - half, middle + half, 3.8F, 5.2F});
  }
  const Vec3 corner = Vec3::Zero();
  TriangleMesh building = pierced_wall(corner, Vec3::UnitY(), length, height, openings);
  for (const Opening& opening : openings) {
    const OpeningFill fill =
        fill_opening(corner, Vec3::UnitY(), -Vec3::UnitX(), opening, draw(0.08, 0.2));
    building += fill.pane;
    building += fill.reveals;
  }
  if (draw.chance(0.35)) {
    building += panel(corner, -Vec3::UnitX() * draw(0.5, 4.0), Vec3::UnitZ() * height);
  } else {
    building += panel(corner, -Vec3::UnitX() * 0.05F, Vec3::UnitZ() * height);
  }
  return building;
}

}  // namespace

const std::vector<ObjectKind>& street_furniture() {
  static const std::vector<ObjectKind> kKinds = {{"tree", make_tree},
                                                 {"bush", make_bush},
                                                 {"pole", make_pole},
                                                 {"street_lamp", make_street_lamp},
                                                 {"traffic_sign", make_traffic_sign},
                                                 {"bollard", make_bollard},
                                                 {"trash_bin", make_trash_bin},
                                                 {"fence", make_fence},
                                                 {"building", make_building}};
  return kKinds;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

TriangleMesh lamp_shade(const Vec3& base, float bottom, float top, float height) {
  return moved(lathe({{bottom, 0.0F}, {top, height}}, 24, false), base);
}

TriangleMesh make_lamp(Draw& draw) {
  const bool floor_lamp = draw.chance(0.5);
  const float height = floor_lamp ? draw(1.3, 1.7) : draw(0.35, 0.6);
  const float foot = height * draw(0.1, 0.18);
  TriangleMesh lamp = lathe({{foot, 0.0F}, {foot, height * 0.02F}, {foot * 0.2F, height * 0.05F}});
  if (!floor_lamp && draw.chance(0.4)) {  // jointed desk lamp
    const Vec3 elbow(-height * 0.35F, 0.0F, height * 0.65F);
    const Vec3 head(height * 0.3F, 0.0F, height * 1.05F);
    lamp += tube({{0.0F, 0.0F, 0.0F}, elbow, head}, height * 0.02F);
    lamp += rod(head, head + Vec3(height * 0.12F, 0.0F, -height * 0.18F), height * 0.05F,
                height * 0.16F, 20);
    return lamp;
  }
  const float shade = height * (floor_lamp ? draw(0.13, 0.2) : draw(0.28, 0.4));
  if (floor_lamp) {
    lamp += rod(Vec3::Zero(), up(height - shade * 0.3F), height * 0.01F);
  } else {
    const float body = height * draw(0.08, 0.16);
    lamp += lathe({{foot * 0.4F, height * 0.04F},
                   {body, height * 0.2F},
                   {body * 0.7F, height * 0.45F},
                   {body * 0.2F, height * 0.6F},
                   {body * 0.2F, height * 0.8F}});
  }
  const float wide = height * (floor_lamp ? draw(0.1, 0.18) : draw(0.22, 0.36));
  lamp += lamp_shade(up(height - shade), wide, wide * draw(0.45, 0.9), shade);
  return lamp;
}

TriangleMesh make_monitor(Draw& draw) {
  const float width = draw(0.45, 0.75);
  const float height = width * draw(0.55, 0.65);
  const float stand = draw(0.08, 0.18);
  const float depth = draw(0.02, 0.06);
  TriangleMesh screen =
      box({-depth / 2, -width / 2, stand}, {depth / 2, width / 2, stand + height});
  screen +=
      box({depth / 2, -width / 2, stand}, {depth / 2 + 0.006F, -width / 2 + 0.02F, stand + height});
  screen +=
      box({depth / 2, width / 2 - 0.02F, stand}, {depth / 2 + 0.006F, width / 2, stand + height});
  TriangleMesh monitor = turned(screen, up(stand + height / 2), Vec3::UnitY(), -draw(0.0, 0.15));
  monitor += block({-depth, 0.0F, 0.0F}, {0.03F, 0.07F, stand + height * 0.4F});
  monitor += draw.chance(0.5) ? block(Vec3::Zero(), {0.2F, width * 0.45F, 0.015F})
                              : moved(rod(Vec3::Zero(), up(0.015F), width * 0.2F, width * 0.2F, 24),
                                      Vec3::Zero());
  return monitor;
}

TriangleMesh make_laptop(Draw& draw) {
  const float width = draw(0.3, 0.4);
  const float depth = width * draw(0.65, 0.75);
  TriangleMesh laptop = block(Vec3::Zero(), {depth, width, 0.018F});
  laptop += block({-depth * 0.12F, 0.0F, 0.018F}, {depth * 0.45F, width * 0.88F, 0.003F});
  const TriangleMesh lid =
      box({-depth / 2, -width / 2, 0.018F}, {-depth / 2 + 0.009F, width / 2, 0.018F + depth});
  laptop += turned(lid, {-depth / 2, 0.0F, 0.018F}, Vec3::UnitY(), -draw(0.1, 0.6));
  return laptop;
}

TriangleMesh make_keyboard(Draw& draw) {
  const float width = draw(0.38, 0.48);
  const float depth = width * draw(0.32, 0.42);
  TriangleMesh keyboard = block(Vec3::Zero(), {depth, width, 0.018F});
  constexpr int kRows = 5;
  constexpr int kColumns = 15;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const float x = depth * 0.85F * in_row(row, kRows);
      const float y = width * 0.95F * in_row(column, kColumns);
      keyboard += block({x, y, 0.018F}, {depth * 0.13F, width * 0.05F, 0.008F});
    }
  }
  return turned(keyboard, Vec3::Zero(), Vec3::UnitY(), draw(0.0, 0.08));
}

TriangleMesh make_radio(Draw& draw) {
  const float width = draw(0.2, 0.4);
  const float height = width * draw(0.5, 0.75);
  const float depth = width * draw(0.25, 0.45);
  TriangleMesh radio = block(Vec3::Zero(), {depth, width, height});
  for (const float side : {-1.0F, 1.0F}) {
    radio += rod({depth / 2, side * width * 0.28F, height * 0.45F},
                 {depth / 2 + 0.012F, side * width * 0.28F, height * 0.45F}, width * 0.14F,
                 width * 0.13F, 20);
  }
  radio +=
      rod({depth / 2, 0.0F, height * 0.75F}, {depth / 2 + 0.02F, 0.0F, height * 0.75F}, 0.015F);
  if (draw.chance(0.6)) {
    radio += tube({{0.0F, -width * 0.42F, height},
                   {0.0F, -width * 0.42F, height * 1.2F},
                   {0.0F, width * 0.42F, height * 1.2F},
                   {0.0F, width * 0.42F, height}},
                  0.008F);
  }
  if (draw.chance(0.7)) {
    const float lean = width * draw(0.4, 1.0);
    const float rise = width * draw(0.6, 1.1);
    radio +=
        rod({-depth * 0.3F, width * 0.42F, height}, {-depth * 0.3F, lean, height + rise}, 0.004F);
  }
  return radio;
}

TriangleMesh make_xbox(Draw& draw) {
  const float width = draw(0.26, 0.34);
  const float depth = draw(0.22, 0.28);
  const float height = draw(0.06, 0.1);
  TriangleMesh console = block(Vec3::Zero(), {depth, width, height});
  console += block({depth / 2, 0.0F, height * 0.35F}, {0.012F, width * 0.5F, height * 0.15F});
  console += rod({depth / 2, width * 0.35F, height / 2},
                 {depth / 2 + 0.008F, width * 0.35F, height / 2}, height * 0.2F);
  if (draw.chance(0.3)) console = turned(console, Vec3::Zero(), Vec3::UnitX(), kTwoPi / 4);
  return console;
}

TriangleMesh make_range_hood(Draw& draw) {
  const float width = draw(0.6, 0.95);
  const float depth = draw(0.45, 0.55);
  const float chimney = draw(0.22, 0.32);
  const float rim = draw(0.04, 0.08);
  const float slope = draw(0.15, 0.35);
  const float top = rim + slope + draw(0.4, 0.8);
  const auto ring = [](float d, float w, float z) {
    return std::vector<Vec3>{
        {-0.25F, -w / 2, z}, {-0.25F + d, -w / 2, z}, {-0.25F + d, w / 2, z}, {-0.25F, w / 2, z}};
  };
  return loft({ring(depth, width, 0.0F), ring(depth, width, rim),
               ring(chimney, chimney, rim + slope), ring(chimney, chimney, top)});
}

TriangleMesh make_guitar(Draw& draw) {
  // Upright, front to +x: a waisted body, a neck and a head.
  const float body = draw(0.45, 0.52);
  const float lower = draw(0.18, 0.22);
  const float upper = lower * draw(0.7, 0.82);
  const float waist = lower * draw(0.58, 0.7);
  const float thick = draw.chance(0.5) ? draw(0.09, 0.12) : draw(0.04, 0.05);
  constexpr int kSteps = 14;
  std::vector<float> widths;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = share(i, kSteps);
    const float bulge = t < 0.55F ? lower + (waist - lower) * std::pow(t / 0.55F, 3.0F)
                                  : waist + (upper - waist) * std::sin((t - 0.55F) / 0.45F * 2.2F);
    const float ends = std::sqrt(std::max(0.0F, 1.0F - std::pow(2.0F * t - 1.0F, 6.0F)));
    widths.push_back(bulge * ends + 0.01F);
  }
  std::vector<Vec2> outline;
  for (int i = 0; i <= kSteps; ++i)
    outline.emplace_back(widths[i], body * static_cast<float>(i) / kSteps);
  for (int i = kSteps; i >= 0; --i)
    outline.emplace_back(-widths[i], body * static_cast<float>(i) / kSteps);
  const TriangleMesh flat = slab(outline, -thick / 2, thick / 2);
  TriangleMesh guitar = turned(flat, Vec3::Zero(), Vec3::UnitZ(), kTwoPi / 4);
  const float neck = body + draw(0.35, 0.42);
  guitar += box({thick / 2 - 0.02F, -0.028F, body * 0.85F}, {thick / 2 + 0.008F, 0.028F, neck});
  guitar += box({thick / 2 - 0.025F, -0.04F, neck}, {thick / 2 - 0.005F, 0.04F, neck + 0.17F});
  guitar += box({thick / 2, -0.07F, body * 0.22F}, {thick / 2 + 0.012F, 0.07F, body * 0.27F});
  for (int i = 0; i < 3; ++i) {
    const float z = neck + 0.04F + 0.045F * static_cast<float>(i);
    guitar += rod({thick / 2 - 0.015F, -0.065F, z}, {thick / 2 - 0.015F, 0.065F, z}, 0.006F);
  }
  return guitar;
}

}  // namespace

const std::vector<ObjectKind>& devices() {
  static const std::vector<ObjectKind> kKinds = {{"lamp", make_lamp},
                                                 {"monitor", make_monitor},
                                                 {"laptop", make_laptop},
                                                 {"keyboard", make_keyboard},
                                                 {"radio", make_radio},
                                                 {"xbox", make_xbox},
                                                 {"range_hood", make_range_hood},
                                                 {"guitar", make_guitar}};
  return kKinds;
}

}  // namespace pointtree::simulation

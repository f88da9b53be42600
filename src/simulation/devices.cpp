// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

constexpr float kTwoPi = 6.2831853F;

TriangleMesh lamp_shade(const Vec3& base, float bottom, float top, float height) {
  return moved(lathe({{bottom, 0.0F}, {top, height}}, 24, false), base);
}

}  // namespace

TriangleMesh make_lamp(Random& random) {
  const bool floor_lamp = geometry::chance(random, 0.5);
  const float height = floor_lamp ? between(random, 1.3, 1.7) : between(random, 0.35, 0.6);
  const float foot = height * between(random, 0.1, 0.18);
  TriangleMesh lamp = lathe({{foot, 0.0F}, {foot, height * 0.02F}, {foot * 0.2F, height * 0.05F}});
  if (!floor_lamp && geometry::chance(random, 0.4)) {  // jointed desk lamp
    const Vec3 elbow(-height * 0.35F, 0.0F, height * 0.65F);
    const Vec3 head(height * 0.3F, 0.0F, height * 1.05F);
    lamp.append(tube({{0.0F, 0.0F, 0.0F}, elbow, head}, height * 0.02F));
    lamp.append(rod(head, head + Vec3(height * 0.12F, 0.0F, -height * 0.18F), height * 0.05F,
                    height * 0.16F, 20));
    return lamp;
  }
  const float shade =
      height * (floor_lamp ? between(random, 0.13, 0.2) : between(random, 0.28, 0.4));
  if (floor_lamp) {
    lamp.append(rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height - shade * 0.3F}, height * 0.01F));
  } else {
    const float body = height * between(random, 0.08, 0.16);
    lamp.append(lathe({{foot * 0.4F, height * 0.04F},
                       {body, height * 0.2F},
                       {body * 0.7F, height * 0.45F},
                       {body * 0.2F, height * 0.6F},
                       {body * 0.2F, height * 0.8F}}));
  }
  const float wide =
      height * (floor_lamp ? between(random, 0.1, 0.18) : between(random, 0.22, 0.36));
  lamp.append(
      lamp_shade({0.0F, 0.0F, height - shade}, wide, wide * between(random, 0.45, 0.9), shade));
  return lamp;
}

TriangleMesh make_monitor(Random& random) {
  const float width = between(random, 0.45, 0.75);
  const float height = width * between(random, 0.55, 0.65);
  const float stand = between(random, 0.08, 0.18);
  const float depth = between(random, 0.02, 0.06);
  TriangleMesh screen =
      box({-depth / 2, -width / 2, stand}, {depth / 2, width / 2, stand + height});
  screen.append(box({depth / 2, -width / 2, stand},
                    {depth / 2 + 0.006F, -width / 2 + 0.02F, stand + height}));
  screen.append(
      box({depth / 2, width / 2 - 0.02F, stand}, {depth / 2 + 0.006F, width / 2, stand + height}));
  TriangleMesh monitor =
      turned(screen, {0.0F, 0.0F, stand + height / 2}, Vec3::UnitY(), -between(random, 0.0, 0.15));
  monitor.append(block({-depth, 0.0F, 0.0F}, {0.03F, 0.07F, stand + height * 0.4F}));
  monitor.append(
      geometry::chance(random, 0.5)
          ? block({0.0F, 0.0F, 0.0F}, {0.2F, width * 0.45F, 0.015F})
          : moved(rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.015F}, width * 0.2F, width * 0.2F, 24),
                  Vec3::Zero()));
  return monitor;
}

TriangleMesh make_laptop(Random& random) {
  const float width = between(random, 0.3, 0.4);
  const float depth = width * between(random, 0.65, 0.75);
  TriangleMesh laptop = block({0.0F, 0.0F, 0.0F}, {depth, width, 0.018F});
  laptop.append(block({-depth * 0.12F, 0.0F, 0.018F}, {depth * 0.45F, width * 0.88F, 0.003F}));
  const TriangleMesh lid =
      box({-depth / 2, -width / 2, 0.018F}, {-depth / 2 + 0.009F, width / 2, 0.018F + depth});
  laptop.append(turned(lid, {-depth / 2, 0.0F, 0.018F}, Vec3::UnitY(), -between(random, 0.1, 0.6)));
  return laptop;
}

TriangleMesh make_keyboard(Random& random) {
  const float width = between(random, 0.38, 0.48);
  const float depth = width * between(random, 0.32, 0.42);
  TriangleMesh keyboard = block({0.0F, 0.0F, 0.0F}, {depth, width, 0.018F});
  constexpr int kRows = 5;
  constexpr int kColumns = 15;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const float x = depth * 0.85F * ((static_cast<float>(row) + 0.5F) / kRows - 0.5F);
      const float y = width * 0.95F * ((static_cast<float>(column) + 0.5F) / kColumns - 0.5F);
      keyboard.append(block({x, y, 0.018F}, {depth * 0.13F, width * 0.05F, 0.008F}));
    }
  }
  return turned(keyboard, Vec3::Zero(), Vec3::UnitY(), between(random, 0.0, 0.08));
}

TriangleMesh make_radio(Random& random) {
  const float width = between(random, 0.2, 0.4);
  const float height = width * between(random, 0.5, 0.75);
  const float depth = width * between(random, 0.25, 0.45);
  TriangleMesh radio = block({0.0F, 0.0F, 0.0F}, {depth, width, height});
  for (const float side : {-1.0F, 1.0F}) {
    radio.append(rod({depth / 2, side * width * 0.28F, height * 0.45F},
                     {depth / 2 + 0.012F, side * width * 0.28F, height * 0.45F}, width * 0.14F,
                     width * 0.13F, 20));
  }
  radio.append(
      rod({depth / 2, 0.0F, height * 0.75F}, {depth / 2 + 0.02F, 0.0F, height * 0.75F}, 0.015F));
  if (geometry::chance(random, 0.6)) {
    radio.append(tube({{0.0F, -width * 0.42F, height},
                       {0.0F, -width * 0.42F, height * 1.2F},
                       {0.0F, width * 0.42F, height * 1.2F},
                       {0.0F, width * 0.42F, height}},
                      0.008F));
  }
  if (geometry::chance(random, 0.7)) {
    const float lean = width * between(random, 0.4, 1.0);
    const float rise = width * between(random, 0.6, 1.1);
    radio.append(
        rod({-depth * 0.3F, width * 0.42F, height}, {-depth * 0.3F, lean, height + rise}, 0.004F));
  }
  return radio;
}

TriangleMesh make_xbox(Random& random) {
  const float width = between(random, 0.26, 0.34);
  const float depth = between(random, 0.22, 0.28);
  const float height = between(random, 0.06, 0.1);
  TriangleMesh console = block({0.0F, 0.0F, 0.0F}, {depth, width, height});
  console.append(block({depth / 2, 0.0F, height * 0.35F}, {0.012F, width * 0.5F, height * 0.15F}));
  console.append(rod({depth / 2, width * 0.35F, height / 2},
                     {depth / 2 + 0.008F, width * 0.35F, height / 2}, height * 0.2F));
  if (geometry::chance(random, 0.3))
    console = turned(console, Vec3::Zero(), Vec3::UnitX(), kTwoPi / 4);
  return console;
}

TriangleMesh make_range_hood(Random& random) {
  const float width = between(random, 0.6, 0.95);
  const float depth = between(random, 0.45, 0.55);
  const float chimney = between(random, 0.22, 0.32);
  const float rim = between(random, 0.04, 0.08);
  const float slope = between(random, 0.15, 0.35);
  const float top = rim + slope + between(random, 0.4, 0.8);
  const auto ring = [](float d, float w, float z) {
    return std::vector<Vec3>{
        {-0.25F, -w / 2, z}, {-0.25F + d, -w / 2, z}, {-0.25F + d, w / 2, z}, {-0.25F, w / 2, z}};
  };
  return loft({ring(depth, width, 0.0F), ring(depth, width, rim),
               ring(chimney, chimney, rim + slope), ring(chimney, chimney, top)});
}

TriangleMesh make_guitar(Random& random) {
  // Upright, front to +x: a waisted body, a neck and a head.
  const float body = between(random, 0.45, 0.52);
  const float lower = between(random, 0.18, 0.22);
  const float upper = lower * between(random, 0.7, 0.82);
  const float waist = lower * between(random, 0.58, 0.7);
  const float thick =
      geometry::chance(random, 0.5) ? between(random, 0.09, 0.12) : between(random, 0.04, 0.05);
  constexpr int kSteps = 14;
  std::vector<float> widths;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    const float bulge = t < 0.55F ? lower + (waist - lower) * std::pow(t / 0.55F, 3.0F)
                                  : waist + (upper - waist) * std::sin((t - 0.55F) / 0.45F * 2.2F);
    const float ends = std::sqrt(std::max(0.0F, 1.0F - std::pow(2.0F * t - 1.0F, 6.0F)));
    widths.push_back(bulge * ends + 0.01F);
  }
  std::vector<Vec2> outline;
  for (int i = 0; i <= kSteps; ++i)
    outline.emplace_back(widths[static_cast<std::size_t>(i)],
                         body * static_cast<float>(i) / kSteps);
  for (int i = kSteps; i >= 0; --i)
    outline.emplace_back(-widths[static_cast<std::size_t>(i)],
                         body * static_cast<float>(i) / kSteps);
  const TriangleMesh flat = slab(outline, -thick / 2, thick / 2);
  TriangleMesh guitar = turned(flat, Vec3::Zero(), Vec3::UnitZ(), kTwoPi / 4);
  const float neck = body + between(random, 0.35, 0.42);
  guitar.append(
      box({thick / 2 - 0.02F, -0.028F, body * 0.85F}, {thick / 2 + 0.008F, 0.028F, neck}));
  guitar.append(box({thick / 2 - 0.025F, -0.04F, neck}, {thick / 2 - 0.005F, 0.04F, neck + 0.17F}));
  guitar.append(box({thick / 2, -0.07F, body * 0.22F}, {thick / 2 + 0.012F, 0.07F, body * 0.27F}));
  for (int i = 0; i < 3; ++i) {
    const float z = neck + 0.04F + 0.045F * static_cast<float>(i);
    guitar.append(rod({thick / 2 - 0.015F, -0.065F, z}, {thick / 2 - 0.015F, 0.065F, z}, 0.006F));
  }
  return guitar;
}

}  // namespace pointtree::simulation

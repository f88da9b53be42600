// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// An open case, front to +x: two sides, top, bottom and back.
TriangleMesh carcass(float depth, float width, float low, float high, float board) {
  TriangleMesh mesh = box({-depth / 2, -width / 2, low}, {-depth / 2 + board / 2, width / 2, high});
  for (const float side : {-1.0F, 1.0F}) {
    mesh += block({0.0F, side * (width - board) / 2, low}, {depth, board, high - low});
  }
  mesh += block(up(low), {depth, width, board});
  mesh += block(up(high - board), {depth, width, board});
  return mesh;
}

// A closed front of drawers or doors with knobs, standing out a little so that their joints show.
TriangleMesh fronts(float depth, float width, float low, float high, int columns, int rows) {
  TriangleMesh mesh;
  const float w = width / static_cast<float>(columns);
  const float h = (high - low) / static_cast<float>(rows);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const float y = width * in_row(column, columns);
      const float z = low + h * static_cast<float>(row);
      mesh += box({depth / 2, y - w * 0.47F, z + h * 0.04F},
                  {depth / 2 + 0.02F, y + w * 0.47F, z + h * 0.96F});
      mesh += ball({depth / 2 + 0.035F, y, z + h / 2}, 0.018F);
    }
  }
  return mesh;
}

TriangleMesh chest(float depth, float width, float height, float foot, int columns, int rows) {
  TriangleMesh mesh = block(up(foot), {depth, width, height - foot});
  mesh += fronts(depth, width, foot + 0.03F, height - 0.03F, columns, rows);
  mesh += block(up(height), {depth + 0.04F, width + 0.04F, 0.025F});
  if (foot > 0.02F) mesh += legs(depth / 2 - 0.04F, width / 2 - 0.04F, foot, 0.025F, false);
  return mesh;
}

TriangleMesh pedestal(float height, float radius) {
  return join({rod(Vec3::Zero(), up(height), 0.05F),
               lathe({{radius * 0.5F, 0.0F}, {radius * 0.48F, 0.03F}, {0.06F, 0.08F}})});
}

TriangleMesh make_table(Draw& draw) {
  const float height = draw(0.45, 0.78);
  const float top = draw(0.02, 0.06);
  const bool round = draw.chance(0.25);
  const float depth = draw(0.6, 1.1);
  const float width = round ? depth : depth * draw(1.0, 2.2);
  TriangleMesh table = round ? rod(up(height - top), up(height), depth / 2, depth / 2, 32)
                             : block(up(height - top), {depth, width, top});
  if (round && draw.chance(0.5)) {
    table += pedestal(height - top, depth / 2);
    return table;
  }
  const float inset = round ? depth * 0.3F : depth / 2 - 0.05F;
  const float leg = draw(0.02, 0.045);
  table += legs(inset, round ? inset : width / 2 - 0.05F, height - top, leg, draw.chance(0.4));
  if (!round && draw.chance(0.6)) {
    table += block(up(height - top - 0.08F), {depth - 0.12F, width - 0.12F, 0.08F});
  }
  return table;
}

TriangleMesh make_desk(Draw& draw) {
  const float depth = draw(0.55, 0.8);
  const float width = draw(1.1, 1.8);
  const float height = draw(0.7, 0.78);
  const float drawer = draw(0.32, 0.45);
  TriangleMesh desk = block(up(height - 0.03F), {depth, width, 0.03F});
  const bool both = draw.chance(0.4);
  for (const float side : {-1.0F, 1.0F}) {
    if (side > 0.0F || both) {
      TriangleMesh pedestal_case = block(up(0.02F), {depth - 0.06F, drawer, height - 0.05F});
      pedestal_case += fronts(depth - 0.06F, drawer, 0.04F, height - 0.05F, 1, 3);
      desk += moved(pedestal_case, {0.0F, side * (width - drawer) / 2, 0.0F});
    } else {
      desk +=
          block({0.0F, side * (width / 2 - 0.02F), 0.0F}, {depth - 0.06F, 0.04F, height - 0.03F});
    }
  }
  desk += box({-depth / 2 + 0.02F, -width / 2, height * 0.35F},
              {-depth / 2 + 0.04F, width / 2, height - 0.03F});
  if (draw.chance(0.3)) {
    desk += moved(carcass(0.25F, width, 0.0F, draw(0.3, 0.6), 0.02F),
                  {-depth / 2 + 0.13F, 0.0F, height});
  }
  return desk;
}

TriangleMesh make_night_stand(Draw& draw) {
  const float depth = draw(0.35, 0.45);
  const float width = draw(0.38, 0.55);
  const float height = draw(0.48, 0.68);
  if (draw.chance(0.6)) {
    const float foot = draw(0.0, 0.2);
    return chest(depth, width, height, foot, 1, draw.from(1, 3));
  }
  TriangleMesh stand = block(up(height - 0.03F), {depth, width, 0.03F});
  stand += legs(depth / 2 - 0.03F, width / 2 - 0.03F, height - 0.03F, 0.02F, false);
  stand += block(up(height - 0.18F), {depth - 0.04F, width - 0.04F, 0.15F});
  stand += block(up(0.15F), {depth - 0.04F, width - 0.04F, 0.02F});
  return stand;
}

TriangleMesh make_dresser(Draw& draw) {
  const float height = draw(0.75, 1.2);
  const float depth = draw(0.42, 0.55);
  const float width = draw(0.9, 1.6);
  const float foot = draw(0.0, 0.15);
  const int columns = draw.from(1, 3);
  TriangleMesh dresser = chest(depth, width, height, foot, columns, draw.from(3, 5));
  if (draw.chance(0.35)) {
    dresser += box({-0.22F, -0.4F, height + 0.02F}, {-0.18F, 0.4F, height + draw(0.6, 0.9)});
  }
  return dresser;
}

TriangleMesh make_wardrobe(Draw& draw) {
  const float height = draw(1.8, 2.3);
  const float width = draw(0.8, 2.0);
  const int doors = std::max(2, static_cast<int>(width / 0.5F));
  const float depth = draw(0.52, 0.65);
  return chest(depth, width, height, draw(0.0, 0.12), doors, 1);
}

TriangleMesh make_bookshelf(Draw& draw) {
  const float depth = draw(0.25, 0.4);
  const float width = draw(0.6, 1.4);
  const float height = draw(1.2, 2.2);
  const int shelves = draw.from(3, 6);
  TriangleMesh shelf = carcass(depth, width, 0.0F, height, 0.025F);
  const bool books = draw.chance(0.6);
  for (int i = 0; i < shelves; ++i) {
    const float step = height / static_cast<float>(shelves);
    const float z = step * static_cast<float>(i);
    if (i > 0) shelf += block(up(z), {depth, width, 0.025F});
    if (!books) continue;
    float y = -width / 2 + 0.04F;
    const float end = width / 2 - 0.04F - draw(0.0, width * 0.5);
    while (y < end) {
      const float thick = draw(0.02, 0.06);
      const float tall = step * draw(0.55, 0.85);
      shelf +=
          box({-depth / 2 + 0.03F, y, z + 0.025F}, {depth * draw(0.1, 0.3), y + thick, z + tall});
      y += thick + 0.004F;
    }
  }
  return shelf;
}

TriangleMesh make_tv_stand(Draw& draw) {
  const float depth = draw(0.38, 0.5);
  const float width = draw(1.1, 1.9);
  const float height = draw(0.4, 0.62);
  TriangleMesh stand = carcass(depth, width, 0.04F, height, 0.035F);
  stand += legs(depth / 2 - 0.05F, width / 2 - 0.05F, 0.04F, 0.03F, false);
  stand += block(up(height * 0.5F), {depth - 0.03F, width, 0.025F});
  for (const float y : {-width / 6, width / 6}) {
    stand += block({0.0F, y, 0.04F}, {depth - 0.03F, 0.03F, height - 0.04F});
  }
  return stand;
}

TriangleMesh make_mantel(Draw& draw) {
  const float width = draw(1.3, 1.9);
  const float height = draw(1.05, 1.4);
  const float pillar = draw(0.16, 0.28);
  const float depth = draw(0.16, 0.3);
  const float lintel = draw(0.2, 0.35);
  TriangleMesh mantel;
  for (const float side : {-1.0F, 1.0F}) {
    const float y = side * (width - pillar) / 2;
    mantel += block({0.0F, y, 0.0F}, {depth, pillar, height - lintel});
    mantel += block({0.02F, y, 0.0F}, {depth + 0.06F, pillar + 0.05F, 0.12F});
  }
  mantel += block(up(height - lintel), {depth, width, lintel});
  mantel += block({0.05F, 0.0F, height - 0.04F}, {depth + 0.14F, width + 0.2F, 0.06F});
  if (draw.chance(0.5)) {
    mantel += block({-depth / 2, 0.0F, 0.0F}, {0.02F, width, height});
    mantel += block({depth, 0.0F, 0.0F}, {0.4F, width + 0.1F, 0.04F});
  }
  return mantel;
}

TriangleMesh make_piano(Draw& draw) {
  const float width = draw(1.4, 1.55);
  if (draw.chance(0.5)) {  // upright
    const float height = draw(1.05, 1.3);
    TriangleMesh piano = block({-0.15F, 0.0F, 0.0F}, {0.32F, width, height});
    piano += block({0.14F, 0.0F, 0.6F}, {0.3F, width, 0.12F});
    piano += block({0.2F, 0.0F, 0.72F}, {0.15F, width * 0.9F, 0.02F});
    for (const float side : {-1.0F, 1.0F}) {
      piano += block({0.22F, side * width * 0.47F, 0.0F}, {0.08F, 0.08F, 0.6F});
    }
    return piano;
  }
  // Grand: curved body on three legs, lid open.
  const float length = draw(1.5, 2.2);
  std::vector<Vec2> outline;
  outline.emplace_back(0.3F, -width / 2);
  outline.emplace_back(0.3F, width / 2);
  for (int i = 0; i <= 10; ++i) {
    const float t = share(i, 10);
    const float y = width * (0.5F - 0.62F * t * t * (3.0F - 2.0F * t));
    outline.emplace_back(0.3F - length * t, y);
  }
  outline.emplace_back(0.3F - length, -width / 2);
  const TriangleMesh flat = slab(outline, 0.0F, 0.28F);
  TriangleMesh piano;
  piano += flat;
  for (Vec3& v : piano.vertices) v = Vec3(v.x(), v.z(), 0.65F + v.y());
  TriangleMesh lid = slab(outline, 0.0F, 0.02F);
  for (Vec3& v : lid.vertices) v = Vec3(v.x(), v.z(), 0.94F + v.y());
  piano += turned(lid, {0.0F, -width / 2, 0.94F}, Vec3::UnitX(), draw(0.4, 0.8));
  piano += box({0.3F, -width / 2, 0.65F}, {0.5F, width / 2, 0.75F});
  for (const Vec2& foot : {Vec2(0.2F, -width * 0.45F), Vec2(0.2F, width * 0.45F),
                           Vec2(0.35F - length, -width * 0.35F)}) {
    piano += rod({foot.x(), foot.y(), 0.0F}, {foot.x(), foot.y(), 0.65F}, 0.05F);
  }
  return piano;
}

}  // namespace

const std::vector<ObjectKind>& cases() {
  static const std::vector<ObjectKind> kKinds = {
      {"table", make_table},       {"desk", make_desk},         {"night_stand", make_night_stand},
      {"dresser", make_dresser},   {"wardrobe", make_wardrobe}, {"bookshelf", make_bookshelf},
      {"tv_stand", make_tv_stand}, {"mantel", make_mantel},     {"piano", make_piano}};
  return kKinds;
}

}  // namespace pointtree::simulation

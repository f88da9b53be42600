// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

// An open case, front to +x: two sides, top, bottom and back.
TriangleMesh carcass(float depth, float width, float low, float high, float board) {
  TriangleMesh mesh = box({-depth / 2, -width / 2, low}, {-depth / 2 + board / 2, width / 2, high});
  for (const float side : {-1.0F, 1.0F}) {
    mesh.append(block({0.0F, side * (width - board) / 2, low}, {depth, board, high - low}));
  }
  mesh.append(block({0.0F, 0.0F, low}, {depth, width, board}));
  mesh.append(block({0.0F, 0.0F, high - board}, {depth, width, board}));
  return mesh;
}

// A closed front of drawers or doors with knobs, standing out a little so that their joints show.
TriangleMesh fronts(float depth, float width, float low, float high, int columns, int rows) {
  TriangleMesh mesh;
  const float w = width / static_cast<float>(columns);
  const float h = (high - low) / static_cast<float>(rows);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const float y =
          width * ((static_cast<float>(column) + 0.5F) / static_cast<float>(columns) - 0.5F);
      const float z = low + h * static_cast<float>(row);
      mesh.append(box({depth / 2, y - w * 0.47F, z + h * 0.04F},
                      {depth / 2 + 0.02F, y + w * 0.47F, z + h * 0.96F}));
      mesh.append(ball({depth / 2 + 0.035F, y, z + h / 2}, 0.018F));
    }
  }
  return mesh;
}

TriangleMesh chest(float depth, float width, float height, float foot, int columns, int rows) {
  TriangleMesh mesh = block({0.0F, 0.0F, foot}, {depth, width, height - foot});
  mesh.append(fronts(depth, width, foot + 0.03F, height - 0.03F, columns, rows));
  mesh.append(block({0.0F, 0.0F, height}, {depth + 0.04F, width + 0.04F, 0.025F}));
  if (foot > 0.02F) mesh.append(legs(depth / 2 - 0.04F, width / 2 - 0.04F, foot, 0.025F, false));
  return mesh;
}

TriangleMesh pedestal(float height, float radius) {
  return join({rod({0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, height}, 0.05F),
               lathe({{radius * 0.5F, 0.0F}, {radius * 0.48F, 0.03F}, {0.06F, 0.08F}})});
}

}  // namespace

TriangleMesh make_table(Random& random) {
  const float height = between(random, 0.45, 0.78);
  const float top = between(random, 0.02, 0.06);
  const bool round = geometry::chance(random, 0.25);
  const float depth = between(random, 0.6, 1.1);
  const float width = round ? depth : depth * between(random, 1.0, 2.2);
  TriangleMesh table =
      round ? rod({0.0F, 0.0F, height - top}, {0.0F, 0.0F, height}, depth / 2, depth / 2, 32)
            : block({0.0F, 0.0F, height - top}, {depth, width, top});
  if (round && geometry::chance(random, 0.5)) {
    table.append(pedestal(height - top, depth / 2));
    return table;
  }
  const float inset = round ? depth * 0.3F : depth / 2 - 0.05F;
  const float leg = between(random, 0.02, 0.045);
  table.append(legs(inset, round ? inset : width / 2 - 0.05F, height - top, leg,
                    geometry::chance(random, 0.4)));
  if (!round && geometry::chance(random, 0.6)) {
    table.append(block({0.0F, 0.0F, height - top - 0.08F}, {depth - 0.12F, width - 0.12F, 0.08F}));
  }
  return table;
}

TriangleMesh make_desk(Random& random) {
  const float depth = between(random, 0.55, 0.8);
  const float width = between(random, 1.1, 1.8);
  const float height = between(random, 0.7, 0.78);
  const float drawer = between(random, 0.32, 0.45);
  TriangleMesh desk = block({0.0F, 0.0F, height - 0.03F}, {depth, width, 0.03F});
  const bool both = geometry::chance(random, 0.4);
  for (const float side : {-1.0F, 1.0F}) {
    if (side > 0.0F || both) {
      TriangleMesh pedestal_case =
          block({0.0F, 0.0F, 0.02F}, {depth - 0.06F, drawer, height - 0.05F});
      pedestal_case.append(fronts(depth - 0.06F, drawer, 0.04F, height - 0.05F, 1, 3));
      desk.append(moved(pedestal_case, {0.0F, side * (width - drawer) / 2, 0.0F}));
    } else {
      desk.append(
          block({0.0F, side * (width / 2 - 0.02F), 0.0F}, {depth - 0.06F, 0.04F, height - 0.03F}));
    }
  }
  desk.append(box({-depth / 2 + 0.02F, -width / 2, height * 0.35F},
                  {-depth / 2 + 0.04F, width / 2, height - 0.03F}));
  if (geometry::chance(random, 0.3)) {
    desk.append(moved(carcass(0.25F, width, 0.0F, between(random, 0.3, 0.6), 0.02F),
                      {-depth / 2 + 0.13F, 0.0F, height}));
  }
  return desk;
}

TriangleMesh make_night_stand(Random& random) {
  const float depth = between(random, 0.35, 0.45);
  const float width = between(random, 0.38, 0.55);
  const float height = between(random, 0.48, 0.68);
  if (geometry::chance(random, 0.6)) {
    const float foot = between(random, 0.0, 0.2);
    return chest(depth, width, height, foot, 1, 1 + static_cast<int>(random.below(3)));
  }
  TriangleMesh stand = block({0.0F, 0.0F, height - 0.03F}, {depth, width, 0.03F});
  stand.append(legs(depth / 2 - 0.03F, width / 2 - 0.03F, height - 0.03F, 0.02F, false));
  stand.append(block({0.0F, 0.0F, height - 0.18F}, {depth - 0.04F, width - 0.04F, 0.15F}));
  stand.append(block({0.0F, 0.0F, 0.15F}, {depth - 0.04F, width - 0.04F, 0.02F}));
  return stand;
}

TriangleMesh make_dresser(Random& random) {
  const float height = between(random, 0.75, 1.2);
  const float depth = between(random, 0.42, 0.55);
  const float width = between(random, 0.9, 1.6);
  const float foot = between(random, 0.0, 0.15);
  const int columns = 1 + static_cast<int>(random.below(3));
  TriangleMesh dresser =
      chest(depth, width, height, foot, columns, 3 + static_cast<int>(random.below(3)));
  if (geometry::chance(random, 0.35)) {
    dresser.append(
        box({-0.22F, -0.4F, height + 0.02F}, {-0.18F, 0.4F, height + between(random, 0.6, 0.9)}));
  }
  return dresser;
}

TriangleMesh make_wardrobe(Random& random) {
  const float height = between(random, 1.8, 2.3);
  const float width = between(random, 0.8, 2.0);
  const int doors = std::max(2, static_cast<int>(width / 0.5F));
  const float depth = between(random, 0.52, 0.65);
  return chest(depth, width, height, between(random, 0.0, 0.12), doors, 1);
}

TriangleMesh make_bookshelf(Random& random) {
  const float depth = between(random, 0.25, 0.4);
  const float width = between(random, 0.6, 1.4);
  const float height = between(random, 1.2, 2.2);
  const int shelves = 3 + static_cast<int>(random.below(4));
  TriangleMesh shelf = carcass(depth, width, 0.0F, height, 0.025F);
  const bool books = geometry::chance(random, 0.6);
  for (int i = 0; i < shelves; ++i) {
    const float step = height / static_cast<float>(shelves);
    const float z = step * static_cast<float>(i);
    if (i > 0) shelf.append(block({0.0F, 0.0F, z}, {depth, width, 0.025F}));
    if (!books) continue;
    float y = -width / 2 + 0.04F;
    const float end = width / 2 - 0.04F - between(random, 0.0, width * 0.5);
    while (y < end) {
      const float thick = between(random, 0.02, 0.06);
      const float tall = step * between(random, 0.55, 0.85);
      shelf.append(box({-depth / 2 + 0.03F, y, z + 0.025F},
                       {depth * between(random, 0.1, 0.3), y + thick, z + tall}));
      y += thick + 0.004F;
    }
  }
  return shelf;
}

TriangleMesh make_tv_stand(Random& random) {
  const float depth = between(random, 0.38, 0.5);
  const float width = between(random, 1.1, 1.9);
  const float height = between(random, 0.4, 0.62);
  TriangleMesh stand = carcass(depth, width, 0.04F, height, 0.035F);
  stand.append(legs(depth / 2 - 0.05F, width / 2 - 0.05F, 0.04F, 0.03F, false));
  stand.append(block({0.0F, 0.0F, height * 0.5F}, {depth - 0.03F, width, 0.025F}));
  for (const float y : {-width / 6, width / 6}) {
    stand.append(block({0.0F, y, 0.04F}, {depth - 0.03F, 0.03F, height - 0.04F}));
  }
  return stand;
}

TriangleMesh make_mantel(Random& random) {
  const float width = between(random, 1.3, 1.9);
  const float height = between(random, 1.05, 1.4);
  const float pillar = between(random, 0.16, 0.28);
  const float depth = between(random, 0.16, 0.3);
  const float lintel = between(random, 0.2, 0.35);
  TriangleMesh mantel;
  for (const float side : {-1.0F, 1.0F}) {
    const float y = side * (width - pillar) / 2;
    mantel.append(block({0.0F, y, 0.0F}, {depth, pillar, height - lintel}));
    mantel.append(block({0.02F, y, 0.0F}, {depth + 0.06F, pillar + 0.05F, 0.12F}));
  }
  mantel.append(block({0.0F, 0.0F, height - lintel}, {depth, width, lintel}));
  mantel.append(block({0.05F, 0.0F, height - 0.04F}, {depth + 0.14F, width + 0.2F, 0.06F}));
  if (geometry::chance(random, 0.5)) {
    mantel.append(block({-depth / 2, 0.0F, 0.0F}, {0.02F, width, height}));
    mantel.append(block({depth, 0.0F, 0.0F}, {0.4F, width + 0.1F, 0.04F}));
  }
  return mantel;
}

TriangleMesh make_piano(Random& random) {
  const float width = between(random, 1.4, 1.55);
  if (geometry::chance(random, 0.5)) {  // upright
    const float height = between(random, 1.05, 1.3);
    TriangleMesh piano = block({-0.15F, 0.0F, 0.0F}, {0.32F, width, height});
    piano.append(block({0.14F, 0.0F, 0.6F}, {0.3F, width, 0.12F}));
    piano.append(block({0.2F, 0.0F, 0.72F}, {0.15F, width * 0.9F, 0.02F}));
    for (const float side : {-1.0F, 1.0F}) {
      piano.append(block({0.22F, side * width * 0.47F, 0.0F}, {0.08F, 0.08F, 0.6F}));
    }
    return piano;
  }
  // Grand: curved body on three legs, lid open.
  const float length = between(random, 1.5, 2.2);
  std::vector<Vec2> outline;
  outline.emplace_back(0.3F, -width / 2);
  outline.emplace_back(0.3F, width / 2);
  for (int i = 0; i <= 10; ++i) {
    const float t = static_cast<float>(i) / 10.0F;
    const float y = width * (0.5F - 0.62F * t * t * (3.0F - 2.0F * t));
    outline.emplace_back(0.3F - length * t, y);
  }
  outline.emplace_back(0.3F - length, -width / 2);
  const TriangleMesh flat = slab(outline, 0.0F, 0.28F);
  TriangleMesh piano;
  piano.append(flat);
  for (Vec3& v : piano.vertices) v = Vec3(v.x(), v.z(), 0.65F + v.y());
  TriangleMesh lid = slab(outline, 0.0F, 0.02F);
  for (Vec3& v : lid.vertices) v = Vec3(v.x(), v.z(), 0.94F + v.y());
  piano.append(turned(lid, {0.0F, -width / 2, 0.94F}, Vec3::UnitX(), between(random, 0.4, 0.8)));
  piano.append(box({0.3F, -width / 2, 0.65F}, {0.5F, width / 2, 0.75F}));
  for (const Vec2& foot : {Vec2(0.2F, -width * 0.45F), Vec2(0.2F, width * 0.45F),
                           Vec2(0.35F - length, -width * 0.35F)}) {
    piano.append(rod({foot.x(), foot.y(), 0.0F}, {foot.x(), foot.y(), 0.65F}, 0.05F));
  }
  return piano;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "pointtree/geometry/random.hpp"
#include "simulation/solids.hpp"

/// One function per kind of object; each draws its proportions. Placing on the ground is done by
/// make_object.
namespace pointtree::simulation {

using geometry::Random;

/// A length between two limits.
inline float between(Random& random, double low, double high) {
  return static_cast<float>(random.uniform(low, high));
}

// Seats.
TriangleMesh make_bench(Random& random);
TriangleMesh make_chair(Random& random);
TriangleMesh make_sofa(Random& random);
TriangleMesh make_stool(Random& random);
TriangleMesh make_toilet(Random& random);
TriangleMesh make_bed(Random& random);

// Tables and cases.
TriangleMesh make_bookshelf(Random& random);
TriangleMesh make_desk(Random& random);
TriangleMesh make_dresser(Random& random);
TriangleMesh make_mantel(Random& random);
TriangleMesh make_night_stand(Random& random);
TriangleMesh make_piano(Random& random);
TriangleMesh make_table(Random& random);
TriangleMesh make_tv_stand(Random& random);
TriangleMesh make_wardrobe(Random& random);

// Vessels and plants.
TriangleMesh make_bathtub(Random& random);
TriangleMesh make_bottle(Random& random);
TriangleMesh make_bowl(Random& random);
TriangleMesh make_cup(Random& random);
TriangleMesh make_flower_pot(Random& random);
TriangleMesh make_plant(Random& random);
TriangleMesh make_sink(Random& random);
TriangleMesh make_vase(Random& random);

// Devices.
TriangleMesh make_guitar(Random& random);
TriangleMesh make_keyboard(Random& random);
TriangleMesh make_lamp(Random& random);
TriangleMesh make_laptop(Random& random);
TriangleMesh make_monitor(Random& random);
TriangleMesh make_radio(Random& random);
TriangleMesh make_range_hood(Random& random);
TriangleMesh make_xbox(Random& random);

// Things to walk around or through.
TriangleMesh make_cone(Random& random);
TriangleMesh make_curtain(Random& random);
TriangleMesh make_door(Random& random);
TriangleMesh make_glass_box(Random& random);
TriangleMesh make_stairs(Random& random);
TriangleMesh make_tent(Random& random);

// Those that move.
TriangleMesh make_airplane(Random& random);
TriangleMesh make_bicycle(Random& random);
TriangleMesh make_car(Random& random);
TriangleMesh make_person(Random& random);
TriangleMesh make_truck(Random& random);

// Street furniture.
TriangleMesh make_bollard(Random& random);
TriangleMesh make_bush(Random& random);
TriangleMesh make_fence(Random& random);
TriangleMesh make_pole(Random& random);
TriangleMesh make_street_lamp(Random& random);
TriangleMesh make_traffic_sign(Random& random);
TriangleMesh make_trash_bin(Random& random);
TriangleMesh make_tree(Random& random);
TriangleMesh make_building(Random& random);

// Parts that several kinds share.

/// Four legs under the corners of a rectangle, from z = 0 to `height`.
TriangleMesh legs(float half_x, float half_y, float height, float radius, bool round,
                  float splay = 0.0F);

}  // namespace pointtree::simulation

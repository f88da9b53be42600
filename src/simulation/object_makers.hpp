// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "geometry/seed.hpp"
#include "pointtree/geometry/random.hpp"
#include "simulation/solids.hpp"

/// The vocabulary of the procedural objects. Each kind has a function that draws its proportions
/// and builds it anywhere; make_object() puts it on the ground.
namespace pointtree::simulation {

inline constexpr float kTwoPi = 6.2831853F;

/// The random choices that make one object differ from the next.
class Draw {
 public:
  explicit Draw(geometry::Random& random) : random_(random) {}

  /// A length between two limits.
  float operator()(double low, double high) {
    return static_cast<float>(random_.uniform(low, high));
  }

  /// A whole number from `low` to `high`, both included.
  int from(int low, int high) { return low + static_cast<int>(random_.below(high - low + 1)); }

  bool chance(double probability) { return geometry::chance(random_, probability); }

 private:
  geometry::Random& random_;
};

/// A kind of object that can be made in endless variants.
struct ObjectKind {
  std::string name;
  TriangleMesh (*make)(Draw& draw);
};

// Kinds by the file that makes them.
const std::vector<ObjectKind>& seats();
const std::vector<ObjectKind>& cases();
const std::vector<ObjectKind>& vessels();
const std::vector<ObjectKind>& devices();
const std::vector<ObjectKind>& structures();
const std::vector<ObjectKind>& movers();
const std::vector<ObjectKind>& street_furniture();

/// A point above the origin.
inline Vec3 up(float height) { return {0.0F, 0.0F, height}; }

/// Part `i` of `count`, from 0 to 1.
inline float share(int i, int count) { return static_cast<float>(i) / static_cast<float>(count); }

/// The middle of place `i` in a row of `count` places of total length 1 about 0.
inline float in_row(int i, int count) {
  return (static_cast<float>(i) + 0.5F) / static_cast<float>(count) - 0.5F;
}

/// Four legs under the corners of a rectangle, from z = 0 to `height`.
TriangleMesh legs(float half_x, float half_y, float height, float radius, bool round,
                  float splay = 0.0F);

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"
#include "placement.hpp"
#include "simulation/objects.hpp"
#include "simulation/scene.hpp"

namespace pointtree::simulation {
namespace {

constexpr double kPi = 3.141592653589793;
constexpr float kBuildingFoot =
    1.5F;  // how far buildings reach below the ground, so that slopes leave no gap
constexpr double kSensorHeight = 1.8;

// A kind of object that stands beside the road.
struct Furniture {
  const char* kind;
  double per_100_metres;  // on each side
  double from_kerb;       // metres behind the kerb, nearest and farthest
  double to_kerb;
};

const std::vector<Furniture>& furniture() {
  static const std::vector<Furniture> kAll = {
      {"tree", 7.0, 0.7, 1.0},  {"street_lamp", 3.0, 0.4, 0.6}, {"traffic_sign", 3.0, 0.4, 0.6},
      {"pole", 2.0, 0.4, 0.7},  {"bollard", 3.0, 0.4, 0.6},     {"trash_bin", 3.0, 0.6, 2.4},
      {"bench", 2.5, 1.0, 2.2}, {"bicycle", 2.5, 0.8, 2.2},     {"person", 8.0, 0.8, 2.4},
      {"bush", 2.5, 1.8, 2.5},  {"flower_pot", 2.0, 1.5, 2.5},  {"plant", 2.0, 1.5, 2.5},
      {"chair", 3.0, 1.4, 2.4}, {"table", 2.0, 1.4, 2.4},
  };
  return kAll;
}

class StreetMaker {
 public:
  StreetMaker(std::uint64_t seed, const StreetConfig& config)
      : config_(config), random_(seed), builder_(street_classes()) {
    half_road_ = random_.uniform(4.6, 5.6);
    sidewalk_ = random_.uniform(2.8, 3.6);
    kerb_ = random_.uniform(0.1, 0.16);
    slope_ = random_.uniform(-config.slope, config.slope);
    wave_ = random_.uniform(0.0, config.slope);
    phase_ = random_.uniform(0.0, 2.0 * kPi);
  }

  Scene make() {
    add_ground();
    for (const double side : {-1.0, 1.0}) {
      add_buildings(side);
      add_parked_cars(side);
      add_furniture(side);
    }
    add_road_users();
    const double margin = config_.length / 4.0;  // street ahead and behind at every moment
    for (double x = margin; x <= config_.length - margin; x += 0.5) {
      builder_.scene().way.emplace_back(x, -half_road_ * 0.25, ground(x) + kSensorHeight);
    }
    return builder_.take();
  }

 private:
  // Height of the road: an even slope with gentle waves of 50 m.
  double ground(double x) const {
    constexpr double kWaveNumber = 2.0 * kPi / 50.0;
    return slope_ * x + wave_ / kWaveNumber * std::sin(kWaveNumber * x + phase_);
  }

  double side_ground(double x) const { return ground(x) + kerb_; }

  // A strip along the street between two distances from its middle.
  TriangleMesh strip(double from, double to, double height_from, double height_to) const {
    TriangleMesh mesh = panel({0.0F, static_cast<float>(from), 0.0F},
                              {static_cast<float>(config_.length), 0.0F, 0.0F},
                              {0.0F, static_cast<float>(to - from), 0.0F}, 1.0F);
    for (Vec3& v : mesh.vertices) {
      const double share = (v.y() - from) / (to - from);
      v.z() = static_cast<float>(ground(v.x()) + height_from + share * (height_to - height_from));
    }
    return mesh;
  }

  void add_ground() {
    builder_.add_structure("road", strip(-half_road_, half_road_, 0.0, 0.0));
    for (const double side : {-1.0, 1.0}) {
      const double kerb = side * half_road_;
      const double house = side * (half_road_ + sidewalk_);
      TriangleMesh walk = strip(kerb, kerb + side * 0.02, 0.0, kerb_);
      walk += strip(kerb + side * 0.02, house + side * 6.0, kerb_, kerb_);
      builder_.add_structure("sidewalk", walk);
    }
  }

  // A front wall with rows of windows and a door, two side walls and a flat roof.
  void add_building(double side, double from, double to, double setback) {
    const float length = static_cast<float>(to - from);
    const int floors = draw_.from(1, 3);
    const float storey = draw_(2.7, 3.4);
    const float height = kBuildingFoot + storey * static_cast<float>(floors) + draw_(0.3, 1.2);
    const double base = std::min(ground(from), ground(to)) + kerb_ - kBuildingFoot;
    const auto front = static_cast<float>(side * (half_road_ + sidewalk_ + setback));
    const Vec3 corner(static_cast<float>(from), front, static_cast<float>(base));
    const Vec3 inwards(0.0F, static_cast<float>(side), 0.0F);
    std::vector<Opening> openings;
    const int bays = std::max(1, static_cast<int>(length / draw_(2.2, 3.6)));
    const float bay = length / static_cast<float>(bays);
    const int door_bay = static_cast<int>(random_.below(bays));
    for (int floor = 0; floor < floors; ++floor) {
      for (int i = 0; i < bays; ++i) {
        const float middle = bay * (static_cast<float>(i) + 0.5F);
        const float low = kBuildingFoot + storey * static_cast<float>(floor);
        const bool door = floor == 0 && i == door_bay;
        const float half = door ? 0.5F : std::min(0.65F, bay * 0.35F);
        openings.push_back({middle - half, middle + half, door ? kBuildingFoot + 0.05F : low + 0.9F,
                            low + (door ? 2.1F : 2.3F)});
      }
    }
    const float depth = draw_(5.0, 7.0);
    TriangleMesh building = pierced_wall(corner, Vec3::UnitX(), length, height, openings);
    for (const Opening& opening : openings) {
      const OpeningFill fill = fill_opening(corner, Vec3::UnitX(), inwards, opening, 0.18F);
      building += fill.pane;
      building += fill.reveals;
    }
    building += panel(corner, inwards * depth, Vec3::UnitZ() * height);
    building += panel(corner + Vec3::UnitX() * length, inwards * depth, Vec3::UnitZ() * height);
    building += panel(corner + Vec3::UnitZ() * height, Vec3::UnitX() * length, inwards * depth);
    builder_.add_structure("building", building);
  }

  void add_buildings(double side) {
    double x = 0.0;
    while (x < config_.length - 4.0) {
      const double end = std::min(config_.length, x + random_.uniform(7.0, 16.0));
      add_building(side, x, end, random_.uniform(0.0, 1.5));
      x = end;
      if (!draw_.chance(0.45)) continue;
      // A gap between houses, closed by a fence.
      const double gap = random_.uniform(3.0, 7.0);
      if (x + gap > config_.length) break;
      const TriangleMesh fence = make_object("fence", random_);
      const double y = side * (half_road_ + sidewalk_ + 0.1);
      const double at = x + gap / 2;
      builder_.place("fence", fence, {at, y, side_ground(at)}, -side * kPi / 2, 0.0);
      x += gap;
    }
  }

  void add_parked_cars(double side) {
    double x = random_.uniform(0.0, 6.0);
    while (x < config_.length - 9.0) {
      const bool truck = draw_.chance(0.08);
      const std::string kind = truck ? "truck" : "car";
      const TriangleMesh vehicle = make_object(kind, random_);
      const Eigen::Vector3f size = bounds(vehicle).sizes();
      const double at = x + size.x() / 2;
      const double y = side * (half_road_ - size.y() / 2 - 0.15);
      const double along = draw_.chance(0.85) == (side > 0.0) ? 0.0 : kPi;
      const double yaw = along + random_.uniform(-0.03, 0.03);
      if (draw_.chance(0.6 * config_.density)) {
        builder_.place(kind, vehicle, {at, y, ground(at)}, yaw, 0.5);
      }
      x += size.x() + random_.uniform(0.8, 5.0);
    }
  }

  void add_furniture(double side) {
    for (const Furniture& item : furniture()) {
      const double wanted = item.per_100_metres * config_.length / 100.0 * config_.density;
      const int tries = static_cast<int>(std::floor(wanted + random_.uniform()));
      for (int i = 0; i < tries; ++i) {
        const TriangleMesh object = make_object(item.kind, random_);
        const double x = random_.uniform(3.0, config_.length - 3.0);
        const double y =
            side *
            (half_road_ + random_.uniform(item.from_kerb, std::min(item.to_kerb, sidewalk_ - 0.4)));
        const double to_road = -side * kPi / 2;  // things show their front to the road
        const double yaw = std::string_view(item.kind) == "person" ? random_.uniform(0.0, 2.0 * kPi)
                           : std::string_view(item.kind) == "bicycle"
                               ? random_.uniform(-0.1, 0.1)
                               : to_road + random_.uniform(-0.1, 0.1);
        builder_.place(item.kind, object, {x, y, side_ground(x)}, yaw, 0.45);
      }
    }
  }

  // Cars on the other lane, people and bicycles that cross, cones around road works.
  void add_road_users() {
    for (int i = 0; i < static_cast<int>(config_.length / 25.0 * config_.density); ++i) {
      const TriangleMesh car = make_object("car", random_);
      const double x = random_.uniform(5.0, config_.length - 5.0);
      builder_.place("car", car, {x, half_road_ * random_.uniform(0.25, 0.35), ground(x)}, kPi,
                     0.8);
    }
    for (int i = 0; i < static_cast<int>(config_.length / 30.0 * config_.density); ++i) {
      const TriangleMesh person = make_object("person", random_);
      const double x = random_.uniform(5.0, config_.length - 5.0);
      const double y = random_.uniform(0.5, half_road_ - 0.5);
      builder_.place("person", person, {x, y, ground(x)}, kPi / 2, 0.6);
    }
    const double works = random_.uniform(10.0, std::max(11.0, config_.length - 10.0));
    for (int i = 0; i < 4; ++i) {
      const TriangleMesh cone = make_object("cone", random_);
      const double x = works + 2.2 * i;
      builder_.place("cone", cone, {x, half_road_ * 0.15, ground(x)}, 0.0, 0.4);
    }
  }

  StreetConfig config_;
  geometry::Random random_;
  Draw draw_{random_};
  SceneBuilder builder_;
  double half_road_ = 0.0;
  double sidewalk_ = 0.0;
  double kerb_ = 0.0;
  double slope_ = 0.0;
  double wave_ = 0.0;
  double phase_ = 0.0;
};

}  // namespace

const std::vector<std::string>& street_classes() {
  static const std::vector<std::string> kClasses = {
      "road",  "sidewalk", "building", "car",         "truck",        "bicycle", "person",
      "tree",  "bush",     "pole",     "street_lamp", "traffic_sign", "bollard", "trash_bin",
      "fence", "bench",    "cone",     "chair",       "table",        "plant",   "flower_pot"};
  return kClasses;
}

Scene make_street(std::uint64_t seed, const StreetConfig& config) {
  return StreetMaker(geometry::mix_seed({seed, geometry::hash_name("street")}), config).make();
}

}  // namespace pointtree::simulation

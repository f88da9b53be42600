// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/seed.hpp"
#include "object_makers.hpp"
#include "placement.hpp"
#include "simulation/objects.hpp"
#include "simulation/scene.hpp"

namespace pointtree::simulation {
namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kEyeHeight = 1.5;  // above everything that stands in the middle of a room

// One of the four walls: a point p along it is corner + along · p; the room lies to the left.
struct Side {
  Vec3 corner;
  Vec3 along;
  Vec3 outwards;
  float length = 0.0F;
  std::vector<Opening> openings;  // windows and doors
  std::vector<Opening> reserved;  // these and boards, which keep clear of each other

  bool has_space(const Opening& wanted) const {
    return wanted.left > 0.2F && wanted.right < length - 0.2F &&
           std::none_of(reserved.begin(), reserved.end(), [&](const Opening& o) {
             return wanted.left < o.right + 0.2F && wanted.right > o.left - 0.2F;
           });
  }
  Vec3 at(float along_wall, float inside, float height) const {
    return corner + along * along_wall - outwards * inside + Vec3::UnitZ() * height;
  }
  double facing() const { return std::atan2(-outwards.y(), -outwards.x()); }
};

class RoomMaker {
 public:
  explicit RoomMaker(std::uint64_t seed) : random_(seed), builder_(room_classes()) {
    size_ = Vec3(draw_(3.2, 8.0), 0.0F, 0.0F);
    size_.y() = draw_(3.0, 6.5);
    size_.z() = draw_(2.5, 3.4);
    sides_ = {Side{{0.0F, 0.0F, 0.0F}, Vec3::UnitX(), -Vec3::UnitY(), size_.x(), {}, {}},
              Side{{size_.x(), 0.0F, 0.0F}, Vec3::UnitY(), Vec3::UnitX(), size_.y(), {}, {}},
              Side{{size_.x(), size_.y(), 0.0F}, -Vec3::UnitX(), Vec3::UnitY(), size_.x(), {}, {}},
              Side{{0.0F, size_.y(), 0.0F}, -Vec3::UnitY(), -Vec3::UnitX(), size_.y(), {}, {}}};
  }

  Scene make() {
    const Vec3 across(size_.x(), 0.0F, 0.0F);
    const Vec3 along(0.0F, size_.y(), 0.0F);
    builder_.add_structure("floor", panel(Vec3::Zero(), across, along, 0.5F));
    builder_.add_structure("ceiling", panel(up(size_.z()), across, along, 0.5F));
    add_doors();
    add_windows();
    add_boards();
    add_beams();
    add_columns();
    furnish();
    for (const Side& side : sides_) add_wall(side);
    add_way();
    return builder_.take();
  }

 private:
  Side& any_side() { return sides_[random_.below(sides_.size())]; }

  // Finds room for something of this width on a wall.
  bool reserve(Side& side, float width, float bottom, float top, Opening& found) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      if (side.length < width + 0.5F) return false;
      const float left = draw_(0.22, side.length - width - 0.22);
      found = {left, left + width, bottom, top};
      if (!side.has_space(found)) continue;
      side.reserved.push_back(found);
      return true;
    }
    return false;
  }

  void add_doors() {
    const int count = draw_.from(1, 2);
    for (int i = 0; i < count; ++i) {
      Side& side = any_side();
      Opening opening;
      const float width = draw_(0.8, 1.0);
      const float top = draw_(2.0, 2.2);
      if (!reserve(side, width, 0.0F, top, opening)) continue;
      side.openings.push_back(opening);
      const OpeningFill fill =
          fill_opening(side.corner, side.along, side.outwards, opening, draw_(0.02, 0.15));
      TriangleMesh door = fill.pane;
      door += fill.reveals;
      door += ball(side.at(opening.right - 0.1F, 0.03F, 1.0F), 0.035F);
      builder_.put("door", door, Eigen::Vector3d::Zero(), 0.0);
      // Nobody puts furniture in front of a door.
      const Vec3 a = side.at(opening.left, 0.0F, 0.0F);
      const Vec3 b = side.at(opening.right, 0.9F, 0.0F);
      builder_.block(a.head<2>().cwiseMin(b.head<2>()).cast<double>(),
                     a.head<2>().cwiseMax(b.head<2>()).cast<double>());
    }
  }

  void add_windows() {
    const int count = draw_.from(0, 3);
    Side& side = any_side();
    for (int i = 0; i < count; ++i) {
      Opening opening;
      const float width = draw_(0.9, 2.0);
      const float bottom = draw_(0.7, 1.1);
      const float top = size_.z() - draw_(0.2, 0.6);
      if (!reserve(side, width, bottom, top, opening)) continue;
      side.openings.push_back(opening);
      const OpeningFill fill =
          fill_opening(side.corner, side.along, side.outwards, opening, draw_(0.05, 0.2));
      TriangleMesh window = fill.pane;
      window += fill.reveals;
      const float bar = 0.03F;
      const float middle = (opening.left + opening.right) / 2;
      for (const float at : {opening.left + bar, middle, opening.right - bar}) {
        window += rod(side.at(at, -0.04F, opening.bottom), side.at(at, -0.04F, opening.top), bar);
      }
      builder_.put("window", window, Eigen::Vector3d::Zero(), 0.0);
    }
  }

  void add_boards() {
    const int count = draw_.from(0, 2);
    for (int i = 0; i < count; ++i) {
      Side& side = any_side();
      Opening place;
      const float bottom = draw_(0.8, 1.0);
      const float width = draw_(1.0, 2.6);
      const float height = draw_(0.9, 1.3);
      if (!reserve(side, width, bottom, bottom + height, place)) continue;
      TriangleMesh board = loft(
          {{side.at(place.left, 0.0F, place.bottom), side.at(place.right, 0.0F, place.bottom),
            side.at(place.right, 0.0F, place.top), side.at(place.left, 0.0F, place.top)},
           {side.at(place.left, 0.04F, place.bottom), side.at(place.right, 0.04F, place.bottom),
            side.at(place.right, 0.04F, place.top), side.at(place.left, 0.04F, place.top)}});
      builder_.put("board", board, Eigen::Vector3d::Zero(), 0.0);
    }
  }

  void add_beams() {
    if (!draw_.chance(0.4)) return;
    const int count = draw_.from(1, 3);
    const float deep = draw_(0.2, 0.45);
    const float wide = draw_(0.15, 0.4);
    for (int i = 0; i < count; ++i) {
      const float x = size_.x() * (static_cast<float>(i) + 0.5F) / static_cast<float>(count);
      builder_.put(
          "beam", box({x - wide / 2, 0.0F, size_.z() - deep}, {x + wide / 2, size_.y(), size_.z()}),
          Eigen::Vector3d::Zero(), 0.0);
    }
  }

  void add_columns() {
    if (!draw_.chance(0.4)) return;
    const float wide = draw_(0.25, 0.55);
    const bool round = draw_.chance(0.25);
    const int count = draw_.from(1, 2);
    for (int i = 0; i < count; ++i) {
      const TriangleMesh column = round ? rod(Vec3::Zero(), up(size_.z()), wide / 2, wide / 2, 20)
                                        : block(Vec3::Zero(), {wide, wide, size_.z()});
      Side& side = any_side();
      const float away = draw_.chance(0.7) ? wide / 2 : draw_(0.5, 0.6);
      const Vec3 place = side.at(draw_(0.3, side.length - 0.3), away, 0.0F);
      builder_.place("column", column, place.cast<double>(), 0.0, 0.05);
    }
  }

  // Puts an object with its back to a wall.
  bool place_at_wall(const std::string& kind, const std::string& name) {
    const TriangleMesh object = make_object(kind, random_);
    const Vec3 extent = bounds(object).sizes();
    if (extent.z() > size_.z() - 0.1F) return false;
    for (int attempt = 0; attempt < 6; ++attempt) {
      Side& side = any_side();
      if (side.length < extent.y() + 0.4F) continue;
      const float along = draw_(extent.y() / 2 + 0.1, side.length - extent.y() / 2 - 0.1);
      const float gap = draw_(0.03, 0.08);
      const Vec3 place = side.at(along, extent.x() / 2 + gap, 0.0F);
      if (builder_.place(kind, object, place.cast<double>(), side.facing(), 0.05, name))
        return true;
    }
    return false;
  }

  // A table in the room with chairs around it and things on it.
  void add_table_group() {
    const std::string kind = draw_.chance(0.6) ? "table" : "desk";
    const TriangleMesh table = make_object(kind, random_);
    const Vec3 extent = bounds(table).sizes();
    for (int attempt = 0; attempt < 6; ++attempt) {
      const double along = draw_.chance(0.5) ? 0.0 : kPi / 2;
      const double yaw = along + random_.uniform(-0.1, 0.1);
      Eigen::Vector3d place(0.0, 0.0, 0.0);
      place.x() = random_.uniform(0.9, size_.x() - 0.9);
      place.y() = random_.uniform(0.9, size_.y() - 0.9);
      if (!inside(table, place, yaw) || !builder_.place(kind, table, place, yaw, 0.1, "table"))
        continue;
      add_chairs(place, yaw, extent);
      const bool has_hutch = extent.z() > 0.85F;
      if (!has_hutch) lay_on(place, yaw, extent);
      return;
    }
  }

  bool inside(const TriangleMesh& object, const Eigen::Vector3d& place, double yaw) const {
    const Eigen::AlignedBox3f box =
        bounds(moved(object, place.cast<float>(), static_cast<float>(yaw)));
    return box.min().x() > 0.05F && box.min().y() > 0.05F && box.max().x() < size_.x() - 0.05F &&
           box.max().y() < size_.y() - 0.05F;
  }

  void add_chairs(const Eigen::Vector3d& table, double yaw, const Vec3& extent) {
    const int chairs = draw_.from(0, 4);
    for (int i = 0; i < chairs; ++i) {
      const TriangleMesh chair = make_object(draw_.chance(0.85) ? "chair" : "stool", random_);
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      const double beyond = extent.x() / 2 + random_.uniform(0.2, 0.5);
      const double beside = extent.y() * ((i / 2) % 2 == 0 ? -0.22 : 0.22);
      const Eigen::Vector3d offset(side * beyond, beside, 0.0);
      const Eigen::Vector3d place =
          table + Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * offset;
      const double facing = yaw + (side > 0.0 ? kPi : 0.0) + random_.uniform(-0.4, 0.4);
      if (inside(chair, place, facing)) builder_.place("chair", chair, place, facing, -0.1);
    }
  }

  // Small things on a table.
  void lay_on(const Eigen::Vector3d& place, double yaw, const Vec3& extent) {
    static const std::vector<const char*> kThings = {"monitor", "laptop",     "keyboard", "bottle",
                                                     "cup",     "vase",       "lamp",     "radio",
                                                     "bowl",    "flower_pot", "xbox"};
    const int count = draw_.from(0, 4);
    for (int i = 0; i < count; ++i) {
      const std::string kind = kThings[random_.below(kThings.size())];
      const TriangleMesh thing = make_object(kind, random_);
      if (bounds(thing).sizes().z() > 0.65F) continue;  // a floor lamp belongs on the floor
      Eigen::Vector3d offset(0.0, 0.0, extent.z());
      offset.x() = random_.uniform(-0.3, 0.3) * extent.x();
      offset.y() = extent.y() * ((i + 0.5) / count - 0.5) * 0.8;
      builder_.put(kind, thing, place + Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * offset,
                   yaw + random_.uniform(-0.5, 0.5), "clutter");
    }
  }

  void scatter() {
    static const std::vector<const char*> kThings = {
        "plant",       "lamp",    "trash_bin", "guitar",   "person",
        "night_stand", "dresser", "glass_box", "tv_stand", "piano"};
    const int count = draw_.from(1, 5);
    for (int i = 0; i < count; ++i)
      place_at_wall(kThings[random_.below(kThings.size())], "clutter");
  }

  void place_some(int most, const std::string& kind, const std::string& name) {
    const int count = static_cast<int>(random_.below(static_cast<std::uint64_t>(most) + 1));
    for (int i = 0; i < count; ++i) place_at_wall(kind, name);
  }

  void furnish() {
    place_some(3, "bookshelf", "bookcase");
    if (draw_.chance(0.3)) place_at_wall("wardrobe", "bookcase");
    place_some(2, "sofa", "sofa");
    place_some(2, "desk", "table");
    const int groups = 1 + static_cast<int>(size_.x() * size_.y() / 14.0F);
    for (int i = 0; i < groups; ++i) add_table_group();
    place_some(2, "chair", "chair");
    scatter();
  }

  void add_wall(const Side& side) {
    builder_.add_structure(
        "wall", pierced_wall(side.corner, side.along, side.length, size_.z(), side.openings));
  }

  // An ellipse around the middle of the room.
  void add_way() {
    constexpr int kSteps = 60;
    for (int i = 0; i < kSteps; ++i) {
      const double angle = 2.0 * kPi * i / kSteps;
      builder_.scene().way.emplace_back(size_.x() * (0.5 + 0.2 * std::cos(angle)),
                                        size_.y() * (0.5 + 0.2 * std::sin(angle)), kEyeHeight);
    }
  }

  geometry::Random random_;
  Draw draw_{random_};
  SceneBuilder builder_;
  Vec3 size_ = Vec3::Zero();
  std::array<Side, 4> sides_;
};

}  // namespace

const std::vector<std::string>& room_classes() {
  static const std::vector<std::string> kClasses = {
      "ceiling", "floor", "wall", "beam",     "column", "window", "door",
      "table",   "chair", "sofa", "bookcase", "board",  "clutter"};
  return kClasses;
}

Scene make_room(std::uint64_t seed) {
  return RoomMaker(geometry::mix_seed({seed, geometry::hash_name("room")})).make();
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include "placement.hpp"

#include <algorithm>
#include <stdexcept>

#include "simulation/solids.hpp"

namespace pointtree::simulation {
namespace {

Eigen::AlignedBox2d footprint(const TriangleMesh& mesh) {
  const Eigen::AlignedBox3f box = bounds(mesh);
  return {box.min().head<2>().cast<double>(), box.max().head<2>().cast<double>()};
}

UprightBox upright_box(const TriangleMesh& object, const Eigen::Vector3d& place, double yaw) {
  const Eigen::AlignedBox3f own = bounds(object);
  UprightBox box;
  box.size = own.sizes().cast<double>();
  box.yaw = yaw;
  const Eigen::Vector3d centre = own.center().cast<double>();
  box.centre = place + Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * centre;
  return box;
}

}  // namespace

SceneBuilder::SceneBuilder(std::vector<std::string> classes) {
  scene_.classes = std::move(classes);
}

std::int32_t SceneBuilder::label_of(const std::string& name) const {
  const auto found = std::find(scene_.classes.begin(), scene_.classes.end(), name);
  if (found == scene_.classes.end()) throw std::logic_error("scene has no class '" + name + "'");
  return static_cast<std::int32_t>(found - scene_.classes.begin());
}

void SceneBuilder::add_structure(const std::string& name, const TriangleMesh& mesh) {
  scene_.objects.push_back(
      {name, label_of(name), 0, upright_box(mesh, Eigen::Vector3d::Zero(), 0.0), mesh});
}

bool SceneBuilder::place(const std::string& kind, const TriangleMesh& object,
                         const Eigen::Vector3d& place, double yaw, double margin,
                         const std::string& name) {
  Eigen::AlignedBox2d taken =
      footprint(moved(object, place.cast<float>(), static_cast<float>(yaw)));
  const Eigen::Vector2d around = Eigen::Vector2d::Constant(margin);
  const Eigen::AlignedBox2d wanted(taken.min() - around, taken.max() + around);
  const bool free =
      std::none_of(taken_.begin(), taken_.end(),
                   [&](const Eigen::AlignedBox2d& other) { return other.intersects(wanted); });
  if (!free) return false;
  taken_.push_back(taken);
  put(kind, object, place, yaw, name);
  return true;
}

void SceneBuilder::put(const std::string& kind, const TriangleMesh& object,
                       const Eigen::Vector3d& place, double yaw, const std::string& name) {
  scene_.objects.push_back({kind, label_of(name.empty() ? kind : name), ++instances_,
                            upright_box(object, place, yaw),
                            moved(object, place.cast<float>(), static_cast<float>(yaw))});
}

void SceneBuilder::block(const Eigen::Vector2d& low, const Eigen::Vector2d& high) {
  taken_.emplace_back(low, high);
}

namespace {

// Places where the wall is cut, so that every opening is made of whole cells.
std::vector<float> cuts(float length, std::vector<float> places) {
  places.push_back(0.0F);
  places.push_back(length);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

TriangleMesh pierced_wall(const Vec3& corner, const Vec3& along, float length, float height,
                          const std::vector<Opening>& openings) {
  std::vector<float> across;
  std::vector<float> up;
  for (const Opening& opening : openings) {
    across.insert(across.end(), {opening.left, opening.right});
    up.insert(up.end(), {opening.bottom, opening.top});
  }
  across = cuts(length, across);
  up = cuts(height, up);
  TriangleMesh wall;
  for (std::size_t i = 0; i + 1 < across.size(); ++i) {
    for (std::size_t j = 0; j + 1 < up.size(); ++j) {
      const float x = (across[i] + across[i + 1]) / 2;
      const float z = (up[j] + up[j + 1]) / 2;
      const bool open = std::any_of(openings.begin(), openings.end(), [&](const Opening& o) {
        return x > o.left && x < o.right && z > o.bottom && z < o.top;
      });
      if (open) continue;
      wall += panel(corner + along * across[i] + Vec3::UnitZ() * up[j],
                    along * (across[i + 1] - across[i]), Vec3::UnitZ() * (up[j + 1] - up[j]));
    }
  }
  return wall;
}

OpeningFill fill_opening(const Vec3& corner, const Vec3& along, const Vec3& inwards,
                         const Opening& opening, float depth) {
  const Vec3 low = corner + along * opening.left + Vec3::UnitZ() * opening.bottom;
  const Vec3 width = along * (opening.right - opening.left);
  const Vec3 height = Vec3::UnitZ() * (opening.top - opening.bottom);
  const Vec3 back = inwards * depth;
  OpeningFill fill;
  fill.pane = panel(low + back, width, height);
  fill.reveals = join({panel(low, back, height), panel(low + width, back, height),
                       panel(low, width, back), panel(low + height, width, back)});
  return fill;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pointtree/geometry/random.hpp"
#include "simulation/scene.hpp"
#include "simulation/solids.hpp"

namespace pointtree::simulation {

/// Adds things to a scene and keeps their footprints apart.
class SceneBuilder {
 public:
  explicit SceneBuilder(std::vector<std::string> classes);

  /// Ground, walls and the like: no instance, no footprint.
  void add_structure(const std::string& name, const TriangleMesh& mesh);

  /// Puts an object, front turned to `yaw`, on the ground at `place`, if its footprint widened by
  /// `margin` is free. The object is labelled with its own kind, or with `name` where given.
  /// Returns whether it was put.
  bool place(const std::string& kind, const TriangleMesh& object, const Eigen::Vector3d& place,
             double yaw, double margin, const std::string& name = {});

  /// Adds an object without asking for free space, for example on a table.
  void put(const std::string& kind, const TriangleMesh& object, const Eigen::Vector3d& place,
           double yaw, const std::string& name = {});

  /// Keeps a rectangle free.
  void block(const Eigen::Vector2d& low, const Eigen::Vector2d& high);

  Scene take() { return std::move(scene_); }
  Scene& scene() { return scene_; }

 private:
  std::int32_t label_of(const std::string& name) const;

  Scene scene_;
  std::vector<Eigen::AlignedBox2d> taken_;
  std::int32_t instances_ = 0;
};

/// A hole in a wall: from left to right along it, from bottom to top.
struct Opening {
  float left = 0.0F;
  float right = 0.0F;
  float bottom = 0.0F;
  float top = 0.0F;
};

/// An upright wall surface from `corner` along a level direction, without the openings.
TriangleMesh pierced_wall(const Vec3& corner, const Vec3& along, float length, float height,
                          const std::vector<Opening>& openings);

/// What fills an opening: a pane set back by `depth` and its reveals (the faces between wall and
/// pane).
struct OpeningFill {
  TriangleMesh pane;
  TriangleMesh reveals;
};
OpeningFill fill_opening(const Vec3& corner, const Vec3& along, const Vec3& inwards,
                         const Opening& opening, float depth);

}  // namespace pointtree::simulation

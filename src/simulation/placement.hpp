// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pointtree/geometry/random.hpp"
#include "simulation/scene.hpp"

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

}  // namespace pointtree::simulation

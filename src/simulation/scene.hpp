// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "simulation/ray_caster.hpp"
#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// A box that stands upright.
struct UprightBox {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< along its own axes before turning
  double yaw = 0.0;                                ///< radians about z
};

/// One thing of a scene, in the scene's coordinates.
struct SceneObject {
  std::string kind;        ///< of object_classes(), or a class of the scene for walls, roads, …
  std::int32_t label = 0;  ///< index into Scene::classes
  std::int32_t instance =
      0;  ///< 1, 2, … for single objects; 0 for what has no end: ground, walls, buildings
  UprightBox box;
  TriangleMesh mesh;
};

/// A place with everything in it: metres, z up.
struct Scene {
  std::vector<std::string> classes;
  std::vector<SceneObject> objects;
  /// Where a sensor would travel: eye points of a smooth way through free space.
  std::vector<Eigen::Vector3d> way;
};

/// A scene that rays can be cast at.
class SceneCaster {
 public:
  explicit SceneCaster(const Scene& scene);

  /// What a ray meets: the distance and which of Scene::objects, −1 for nothing.
  struct Hit {
    float distance = 0.0F;
    std::int32_t object = -1;
    Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();  ///< of the surface, towards either side
  };
  Hit cast(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction, float farthest) const;

 private:
  TriangleMesh mesh_;
  std::vector<std::int32_t> object_of_triangle_;
  RayCaster caster_;
};

/// The classes of a street's points: road, sidewalk, building, then kinds of objects.
const std::vector<std::string>& street_classes();

/// How a street looks.
struct StreetConfig {
  double length = 80.0;  ///< metres along x, from 0
  double density = 1.0;  ///< of the objects on it
  double slope = 0.05;   ///< steepest fall or rise along it; its own slope is drawn up to this
};

/// A street along x with kerbs, sidewalks, buildings, parked cars, people, trees and street
/// furniture. Every seed is another street, the same on every call. Its way runs along the middle
/// half of a lane, 1.8 m above the road.
Scene make_street(std::uint64_t seed, const StreetConfig& config = {});

/// The thirteen classes of S3DIS: ceiling, floor, wall, beam, column, window, door, table, chair,
/// sofa, bookcase, board, clutter.
const std::vector<std::string>& room_classes();

/// A furnished room with its corner at the origin. Every seed is another room, the same on every
/// call. Its way is a walk through the free middle, 1.5 m above the floor.
Scene make_room(std::uint64_t seed);

}  // namespace pointtree::simulation

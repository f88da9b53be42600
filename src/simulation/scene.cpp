// SPDX-License-Identifier: Apache-2.0
#include "simulation/scene.hpp"

namespace pointtree::simulation {
namespace {

TriangleMesh whole_mesh(const Scene& scene) {
  TriangleMesh mesh;
  for (const SceneObject& object : scene.objects) mesh += object.mesh;
  return mesh;
}

}  // namespace

SceneCaster::SceneCaster(const Scene& scene) : mesh_(whole_mesh(scene)), caster_(mesh_) {
  object_of_triangle_.reserve(mesh_.triangles.size());
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    object_of_triangle_.insert(object_of_triangle_.end(), scene.objects[i].mesh.triangles.size(),
                               static_cast<std::int32_t>(i));
  }
}

SceneCaster::Hit SceneCaster::cast(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction,
                                   float farthest) const {
  const RayHit hit = caster_.cast(origin, direction, farthest);
  if (!hit) return {};
  const auto triangle = static_cast<std::size_t>(hit.triangle);
  const auto corner = [&](int k) { return mesh_.vertices[mesh_.triangles[triangle][k]]; };
  return {hit.distance, object_of_triangle_[triangle],
          (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized()};
}

}  // namespace pointtree::simulation

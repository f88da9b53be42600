// SPDX-License-Identifier: Apache-2.0
#include "simulation/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pointtree::simulation {

void TriangleMesh::append(const TriangleMesh& other) {
  const auto offset = static_cast<int>(vertices.size());
  vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
  triangles.reserve(triangles.size() + other.triangles.size());
  for (const Eigen::Vector3i& triangle : other.triangles) {
    triangles.emplace_back(triangle.array() + offset);
  }
}

TriangleMesh transformed(const TriangleMesh& mesh, const Eigen::Affine3f& map) {
  TriangleMesh result = mesh;
  for (Eigen::Vector3f& vertex : result.vertices) vertex = map * vertex;
  return result;
}

Eigen::AlignedBox3f bounds(const TriangleMesh& mesh) {
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& vertex : mesh.vertices) box.extend(vertex);
  return box;
}

SurfaceSample sample_surface(const TriangleMesh& mesh, std::int32_t count,
                             geometry::Random& random) {
  const auto corner = [&](std::size_t triangle, int which) {
    return mesh.vertices[static_cast<std::size_t>(mesh.triangles[triangle][which])]
        .cast<double>()
        .eval();
  };
  std::vector<double> area_up_to;
  area_up_to.reserve(mesh.triangles.size());
  double total = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Eigen::Vector3d a = corner(i, 0);
    total += 0.5 * (corner(i, 1) - a).cross(corner(i, 2) - a).norm();
    area_up_to.push_back(total);
  }
  if (!(total > 0.0) || !std::isfinite(total))
    throw std::invalid_argument("mesh has no area to sample");

  SurfaceSample sample;
  sample.points.resize(count, 3);
  sample.triangles.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) {
    const double at = random.uniform(0.0, total);
    const auto found =
        std::upper_bound(area_up_to.begin(), area_up_to.end(), at) - area_up_to.begin();
    const auto triangle = std::min(static_cast<std::size_t>(found), mesh.triangles.size() - 1);
    // The square root makes the pair uniform over the triangle.
    const double along = std::sqrt(random.uniform());
    const double across = random.uniform();
    const Eigen::Vector3d point = (1.0 - along) * corner(triangle, 0) +
                                  along * (1.0 - across) * corner(triangle, 1) +
                                  along * across * corner(triangle, 2);
    sample.points.row(i) = point.cast<float>();
    sample.triangles.push_back(static_cast<std::int32_t>(triangle));
  }
  return sample;
}

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::simulation {

/// A surface of triangles, metres, z up.
struct TriangleMesh {
  std::vector<Eigen::Vector3f> vertices;
  std::vector<Eigen::Vector3i> triangles;  ///< indices of vertices

  /// Adds another mesh's triangles.
  TriangleMesh& operator+=(const TriangleMesh& other);
};

/// The mesh moved by a map.
TriangleMesh transformed(const TriangleMesh& mesh, const Eigen::Affine3f& map);

/// The smallest box along the axes; empty for a mesh without vertices.
Eigen::AlignedBox3f bounds(const TriangleMesh& mesh);

/// Points on a surface and the triangles they lie on.
struct SurfaceSample {
  geometry::Points points;
  std::vector<std::int32_t> triangles;
};

/// Points spread evenly over the surface: O(triangles + count · log triangles). Throws
/// std::invalid_argument for a mesh without area.
SurfaceSample sample_surface(const TriangleMesh& mesh, std::int32_t count,
                             geometry::Random& random);

/// Reads a mesh in the Object File Format; polygons are cut into triangles from their first corner.
/// Also takes files whose counts follow `OFF` without a line end, as many of ModelNet's do. Throws
/// std::runtime_error naming the file, what was expected and what was found.
TriangleMesh read_off(const std::filesystem::path& path);

}  // namespace pointtree::simulation

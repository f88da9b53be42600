// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::simulation {

/// A surface of triangles, metres, z up.
struct TriangleMesh {
  std::vector<Eigen::Vector3f> vertices;
  std::vector<Eigen::Vector3i> triangles;  ///< indices of vertices

  /// Adds another mesh's triangles.
  void append(const TriangleMesh& other);
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

}  // namespace pointtree::simulation

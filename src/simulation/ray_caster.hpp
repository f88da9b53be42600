// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// Where a ray meets a surface.
struct RayHit {
  float distance = 0.0F;       ///< in lengths of the ray's direction
  std::int32_t triangle = -1;  ///< of the mesh; −1: nothing was met

  explicit operator bool() const { return triangle >= 0; }
};

/// Finds what rays meet first, over a tree of bounding boxes: about O(log n) per ray. May be used
/// by many threads.
class RayCaster {
 public:
  /// Builds the tree in O(n log n); triangles without area are left out.
  explicit RayCaster(const TriangleMesh& mesh);

  /// The nearest triangle, from either side, nearer than `farthest`.
  RayHit cast(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction,
              float farthest) const;

 private:
  // Inner nodes have count 0 and their children at first and first + 1; leaves hold triangles.
  struct Node {
    Eigen::Vector3f low;
    Eigen::Vector3f high;
    std::int32_t first = 0;
    std::int32_t count = 0;
  };
  struct Triangle {
    Eigen::Vector3f corner;
    Eigen::Vector3f edge1;
    Eigen::Vector3f edge2;
    std::int32_t index = 0;
  };
  class Builder;

  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;
};

}  // namespace pointtree::simulation

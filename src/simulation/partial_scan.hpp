// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"
#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// How a single object is looked at by a lidar. Distances are in units of half the diagonal of its
/// bounding box.
struct PartialScanConfig {
  double distance_low = 2.5;
  double distance_high = 12.0;
  double elevation_low = -5.0;  ///< degrees; from where it is seen
  double elevation_high = 40.0;
  int rows_low = 12;  ///< beams over the object
  int rows_high = 64;
  double noise = 0.004;
  double drop_out = 0.1;
  int viewpoints = 1;
  int minimum_points = 64;  ///< sharper eyes are taken until this many points come back
};

/// The points of an object that came back to a lidar at a random place, in the object's frame.
geometry::Points partial_scan(const TriangleMesh& object, const PartialScanConfig& config,
                              geometry::Random& random);

}  // namespace pointtree::simulation

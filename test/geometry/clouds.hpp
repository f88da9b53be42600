// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry::test {

/// A cloud with a name for failure messages.
struct NamedCloud {
  std::string name;
  PointsOf<double> points;
};

/// A solid Gaussian blob of deviations 3, 2, 1.
PointsOf<double> gaussian_cloud(int n, std::uint64_t seed);

/// Points on the surface of a random ellipsoid, as a scanner would see it from all sides.
PointsOf<double> surface_cloud(int n, std::uint64_t seed);

/// A few boxes and balls of different densities: clusters, flat faces, empty space.
PointsOf<double> scene_cloud(int n, std::uint64_t seed);

/// The three above.
std::vector<NamedCloud> generic_clouds(int n, std::uint64_t seed);

/// k × k × k points on a regular grid.
PointsOf<double> grid_cloud(int k);

/// The cloud rounded to what the pipeline carries.
inline Points rounded(const PointsOf<double>& points) { return points.cast<float>(); }

/// The same in the order of its tree's leaves.
Points in_leaf_order(const PointsOf<double>& cloud);

}  // namespace pointtree::geometry::test

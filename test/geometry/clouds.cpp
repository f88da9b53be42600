// SPDX-License-Identifier: Apache-2.0
#include "geometry/clouds.hpp"

#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry::test {

PointsOf<double> gaussian_cloud(int n, std::uint64_t seed) {
  Random random(seed);
  PointsOf<double> points(n, 3);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c) points(i, c) = random.normal() * (3 - c);
  }
  return points;
}

PointsOf<double> surface_cloud(int n, std::uint64_t seed) {
  Random random(seed);
  const double a = random.uniform(1.0, 2.0);
  const double b = random.uniform(0.5, 1.0);
  PointsOf<double> points(n, 3);
  for (int i = 0; i < n; ++i) {
    const Eigen::RowVector3d d = random.direction();
    points.row(i) << a * d.x(), b * d.y(), 0.4 * d.z();
  }
  return points;
}

PointsOf<double> scene_cloud(int n, std::uint64_t seed) {
  Random random(seed);
  PointsOf<double> points(n, 3);
  Eigen::RowVector3d place = Eigen::RowVector3d::Zero();
  double size = 1.0;
  bool flat = false;
  for (int i = 0; i < n; ++i) {
    if (i % (n / 7 + 1) == 0) {
      place = random.direction() * random.uniform(0.0, 5.0);
      size = random.uniform(0.05, 1.0);
      flat = random.uniform() < 0.5;
    }
    Eigen::RowVector3d p = random.direction() * size;
    if (flat) p.z() *= 1e-3;
    points.row(i) = place + p;
  }
  return points;
}

std::vector<NamedCloud> generic_clouds(int n, std::uint64_t seed) {
  return {{"gaussian", gaussian_cloud(n, seed)},
          {"surface", surface_cloud(n, seed)},
          {"scene", scene_cloud(n, seed)}};
}

PointsOf<double> grid_cloud(int k) {
  PointsOf<double> points(k * k * k, 3);
  for (int i = 0; i < points.rows(); ++i) {
    const Eigen::RowVector3i cell(i % k, i / k % k, i / (k * k));
    points.row(i) = cell.cast<double>();
  }
  return points;
}

Points in_leaf_order(const PointsOf<double>& cloud) {
  const Points points = rounded(cloud);
  return points(build_tree(PointsView(points)).leaf_order(), Eigen::all);
}

}  // namespace pointtree::geometry::test

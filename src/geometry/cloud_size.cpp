// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/cloud_size.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::geometry {

float cloud_size(const PointsView& points) {
  const Eigen::RowVector3d centroid = points.cast<double>().colwise().mean();
  const double radius = (points.cast<double>().rowwise() - centroid).rowwise().norm().mean();
  return static_cast<float>(std::log(std::max(radius, 1e-3)));
}

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/symmetric_eigen.hpp"

// The features of one neighbourhood in write_local_pca_features(), on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kNeighbourhoods = 2;
constexpr int kChannelsPerNeighbourhood = 11;

/// Reach of the k-th neighbourhood in root mean square radii of the cloud.
POINTTREE_HOST_DEVICE constexpr float neighbourhood_reach(int k) { return k == 0 ? 0.25F : 0.5F; }

/// Weighted sums over the neighbours of a point, of their offsets from it in units of the reach:
/// weight; x, y, z; xx, xy, xz, yy, yz, zz.
constexpr int kNeighbourhoodSums = 10;

/// Gives add(sum, value) what a point at this offset, in units of the reach, adds to the sums.
template <typename Add>
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void add_neighbour(float x, float y, float z,
                                                                 const Add& add) {
  const float inside = 1.0F - (x * x + y * y + z * z);
  const float weight = inside > 0.0F ? inside * inside : 0.0F;
  add(0, weight);
  add(1, weight * x);
  add(2, weight * y);
  add(3, weight * z);
  add(4, weight * x * x);
  add(5, weight * x * y);
  add(6, weight * x * z);
  add(7, weight * y * y);
  add(8, weight * y * z);
  add(9, weight * z * z);
}

/// Centroid and covariance of a neighbourhood, from the point and in units of the reach.
struct NeighbourhoodShape {
  double centroid[3];
  Symmetric3 covariance;

  POINTTREE_HOST_DEVICE explicit NeighbourhoodShape(const float sums[kNeighbourhoodSums]) {
    const double weight = sums[0];  // not less than the point's own, 1
    const double* m = centroid;
    for (int c = 0; c < 3; ++c) centroid[c] = sums[1 + c] / weight;
    covariance = {sums[4] / weight - m[0] * m[0], sums[5] / weight - m[0] * m[1],
                  sums[6] / weight - m[0] * m[2], sums[7] / weight - m[1] * m[1],
                  sums[8] / weight - m[1] * m[2], sums[9] / weight - m[2] * m[2]};
  }
};

/// Square root of the neighbours' weight, in units of the number of points times the square of the
/// reach: about the same for every reach on a surface.
POINTTREE_HOST_DEVICE inline float neighbourhood_density(float weight, float points, float reach) {
  return static_cast<float>(sqrt(weight / points)) / reach;
}

/// Lets the normal, the axis of least deviation, point away from the cloud's centroid, where the
/// point lies at `place`.
POINTTREE_HOST_DEVICE inline void point_outwards(Eigen3& axes, const float place[3]) {
  double* normal = axes.vectors[2];
  if (normal[0] * place[0] + normal[1] * place[1] + normal[2] * place[2] >= 0.0) return;
  for (int c = 0; c < 3; ++c) normal[c] = -normal[c];
}

/// Gives put(channel, value) the channels of a point at `place` from the cloud's centroid, in
/// radii: by its neighbourhood's centroid and axes, the normal outwards, and
/// neighbourhood_density().
template <typename Put>
POINTTREE_HOST_DEVICE void write_neighbourhood(const double centroid[3], const Eigen3& axes,
                                               const float place[3], float density,
                                               const Put& put) {
  const double* normal = axes.vectors[2];
  for (int k = 0; k < 3; ++k) {
    const double* axis = axes.vectors[k];
    const double offset = -(axis[0] * centroid[0] + axis[1] * centroid[1] + axis[2] * centroid[2]);
    put(k, static_cast<float>(sqrt(axes.values[k] > 0.0 ? axes.values[k] : 0.0)));
    put(3 + k, static_cast<float>(k < 2 ? fabs(offset) : offset));
    put(6 + k, static_cast<float>(fabs(normal[k])));
  }
  put(9, static_cast<float>(normal[0] * place[0] + normal[1] * place[1] + normal[2] * place[2]));
  put(10, density);
}

}  // namespace pointtree::geometry::detail

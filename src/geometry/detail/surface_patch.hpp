// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/symmetric_eigen.hpp"

// What surface_patches() finds about one point, on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kPatchNeighbours = 5;

/// The surface about a point.
struct SurfacePatch {
  float normal[3] = {0.0F, 0.0F, 0.0F};  ///< of unit length, either way
  float density = 0.0F;  ///< logarithm of the squared density, up to a constant of the cloud
  float weight = 0.0F;   ///< 1 where the neighbours are flat, 0 where they have no normal
};

/// The nearest neighbours of a point that were found so far, by increasing distance.
struct NearestNeighbours {
  /// Squared distance of what is no neighbour: also of the points that fill a LeafGroup.
  static constexpr float kNone = 1e17F;

  float squares[kPatchNeighbours];
  float offsets[kPatchNeighbours][3] = {};

  POINTTREE_HOST_DEVICE NearestNeighbours() {
    for (float& square : squares) square = kNone;
  }

  POINTTREE_HOST_DEVICE float farthest() const { return squares[kPatchNeighbours - 1]; }

  /// Takes a neighbour that is nearer than the farthest.
  POINTTREE_HOST_DEVICE void add(float square, const float offset[3]) {
    int k = kPatchNeighbours - 1;
    for (; k > 0 && squares[k - 1] > square; --k) move(k - 1, k);
    squares[k] = square;
    for (int c = 0; c < 3; ++c) offsets[k][c] = offset[c];
  }

  POINTTREE_HOST_DEVICE Symmetric3 covariance() const {
    double first[3] = {0.0, 0.0, 0.0};
    Symmetric3 m;
    for (const auto& at : offsets) {
      for (int c = 0; c < 3; ++c) first[c] += at[c];
      m.xx += static_cast<double>(at[0]) * at[0];
      m.xy += static_cast<double>(at[0]) * at[1];
      m.xz += static_cast<double>(at[0]) * at[2];
      m.yy += static_cast<double>(at[1]) * at[1];
      m.yz += static_cast<double>(at[1]) * at[2];
      m.zz += static_cast<double>(at[2]) * at[2];
    }
    constexpr double kPoints = kPatchNeighbours + 1;  // the point itself lies at zero
    m.xx = (m.xx - first[0] * first[0] / kPoints) / kPoints;
    m.xy = (m.xy - first[0] * first[1] / kPoints) / kPoints;
    m.xz = (m.xz - first[0] * first[2] / kPoints) / kPoints;
    m.yy = (m.yy - first[1] * first[1] / kPoints) / kPoints;
    m.yz = (m.yz - first[1] * first[2] / kPoints) / kPoints;
    m.zz = (m.zz - first[2] * first[2] / kPoints) / kPoints;
    return m;
  }

  /// `axes` are those of the covariance. Without enough neighbours, or with all of them on a line,
  /// the patch has no weight.
  POINTTREE_HOST_DEVICE SurfacePatch patch(const Eigen3& axes) const {
    constexpr double kThinnest = 1e-12;  // of a covariance that is more than rounding
    SurfacePatch patch;
    if (farthest() >= kNone) return patch;
    double product = 1.0;
    for (const float square : squares) product *= square;
    patch.density = static_cast<float>(-2.0 / kPatchNeighbours * log(product));
    for (int c = 0; c < 3; ++c) patch.normal[c] = static_cast<float>(axes.vectors[2][c]);
    if (axes.values[1] > kThinnest * axes.values[0]) {
      const double flatness = 1.0 - (axes.values[2] > 0.0 ? axes.values[2] / axes.values[1] : 0.0);
      patch.weight = static_cast<float>(flatness * flatness);
    }
    return patch;
  }

 private:
  POINTTREE_HOST_DEVICE void move(int from, int to) {
    squares[to] = squares[from];
    for (int c = 0; c < 3; ++c) offsets[to][c] = offsets[from][c];
  }
};

}  // namespace pointtree::geometry::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include "geometry/detail/symmetric_eigen.hpp"

// The shape of a subtree and its features in write_multi_scale_features(), on the host and on the
// device.
namespace pointtree::geometry::detail {

constexpr int kSmallestSubtree = 8;  // fewer points do not show a surface's normal
constexpr int kSubtreeStep = 4;      // half or twice the size gives nearly the same features
constexpr int kChannelsPerSubtree = 11;

/// Sums over the points of a subtree, about the cloud's centroid.
struct SubtreeMoments {
  double first[3] = {0, 0, 0};
  Symmetric3 second;

  POINTTREE_HOST_DEVICE void add_point(const double p[3]) {
    add({{p[0], p[1], p[2]},
         {p[0] * p[0], p[0] * p[1], p[0] * p[2], p[1] * p[1], p[1] * p[2], p[2] * p[2]}});
  }

  POINTTREE_HOST_DEVICE void add(const SubtreeMoments& other) {
    for (int c = 0; c < 3; ++c) first[c] += other.first[c];
    second.xx += other.second.xx;
    second.xy += other.second.xy;
    second.xz += other.second.xz;
    second.yy += other.second.yy;
    second.yz += other.second.yz;
    second.zz += other.second.zz;
  }
};

/// Moments of `subtrees` subtrees from those of their halves, which are adjacent or, where the
/// points of a subtree are all equal, one for both; in place.
inline void join_pairs(SubtreeMoments* moments, std::size_t subtrees, bool equal) {
  for (std::size_t i = 0; i < subtrees; ++i) {
    const SubtreeMoments right = moments[equal ? i : 2 * i + 1];
    moments[i] = moments[equal ? i : 2 * i];
    moments[i].add(right);
  }
}

/// Centroid, axes and extent of a subtree. Lengths within it are told in units of sqrt(count /
/// all), which is how a patch's extent shrinks with its share of a surface: all channels are then
/// of similar size.
struct SubtreeShape {
  double centroid[3];
  Eigen3 axes;
  double unit;

  POINTTREE_HOST_DEVICE SubtreeShape(const SubtreeMoments& moments, double count, double all) {
    const Symmetric3& s = moments.second;
    for (int c = 0; c < 3; ++c) centroid[c] = moments.first[c] / count;
    const double* m = centroid;
    axes = symmetric_eigen({s.xx / count - m[0] * m[0], s.xy / count - m[0] * m[1],
                            s.xz / count - m[0] * m[2], s.yy / count - m[1] * m[1],
                            s.yz / count - m[1] * m[2], s.zz / count - m[2] * m[2]});
    unit = sqrt(count / all);
  }

  POINTTREE_HOST_DEVICE static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  /// Along its k-th axis.
  POINTTREE_HOST_DEVICE double deviation(int k) const {
    return sqrt(axes.values[k] > 0.0 ? axes.values[k] : 0.0) / unit;
  }

  /// Gives put(channel, value) the channels of one of its points.
  template <typename Put>
  POINTTREE_HOST_DEVICE void write(const double p[3], const Put& put) const {
    const double* normal = axes.vectors[2];
    const double offset[3] = {p[0] - centroid[0], p[1] - centroid[1], p[2] - centroid[2]};
    for (int k = 0; k < 3; ++k) {
      put(k, static_cast<float>(deviation(k)));
      put(5 + k, static_cast<float>(fabs(dot(axes.vectors[k], offset)) / unit));
      put(8 + k, static_cast<float>(fabs(normal[k])));
    }
    put(3, static_cast<float>(sqrt(dot(centroid, centroid))));
    put(4, static_cast<float>(fabs(dot(normal, centroid))));
  }
};

}  // namespace pointtree::geometry::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/detail/subtree_shape.hpp"

// The features of a pose in write_proportions(), on the host and on the device.
namespace pointtree::geometry::detail {

constexpr int kProportionChannels = 6;

/// Gives put(channel, value) the channels of a pose `linear`, row-major.
template <typename Put>
POINTTREE_HOST_DEVICE void write_proportions(const double linear[9], const Put& put) {
  const auto dot = SubtreeShape::dot;
  // The rows of the inverse up to a common factor, which neither ratios nor cosines know: each is
  // the product of the other two columns.
  double axes[3][3];
  double lengths[3];
  for (int k = 0; k < 3; ++k) {
    const double* one = linear + (k + 1) % 3;
    const double* other = linear + (k + 2) % 3;
    for (int c = 0; c < 3; ++c) {
      const int next = 3 * ((c + 1) % 3), last = 3 * ((c + 2) % 3);
      axes[k][c] = one[next] * other[last] - one[last] * other[next];
    }
    lengths[k] = sqrt(dot(axes[k], axes[k]));
  }
  const bool spatial = lengths[0] > 0.0 && lengths[1] > 0.0 && lengths[2] > 0.0;
  const double mean = spatial ? log(lengths[0] * lengths[1] * lengths[2]) / 3.0 : 0.0;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double cosine = dot(axes[k], axes[next]) / (lengths[k] * lengths[next]);
    put(k, spatial ? static_cast<float>(log(lengths[k]) - mean) : 0.0F);
    put(3 + k, spatial ? static_cast<float>(cosine) : 0.0F);
  }
}

}  // namespace pointtree::geometry::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/host_device.hpp"

namespace pointtree::geometry::detail {

/// Signed distance along w of a point given about the tree's centre. Builder and `locate` share
/// this very order of operations, so that a build point falls on the same side of each plane as it
/// did when the plane was made.
POINTTREE_HOST_DEVICE inline double project(const double* w, double x, double y, double z) {
  return (w[0] * x + w[1] * y) + w[2] * z;
}

/// The order that splits a node: by projection, then by index, so that halves are equal and
/// reproducible.
POINTTREE_HOST_DEVICE inline bool comes_before(double s, double s_index, double t, double t_index) {
  return s < t || (s == t && s_index < t_index);
}

/// A threshold with left < threshold <= right wherever left < right; halfway where rounding allows.
POINTTREE_HOST_DEVICE inline double plane_offset(double greatest_left, double least_right) {
  const double middle = greatest_left + 0.5 * (least_right - greatest_left);
  return middle > greatest_left ? middle : least_right;
}

/// Turns w so that its largest |component| (the first of equals) is positive.
POINTTREE_HOST_DEVICE inline void make_largest_component_positive(double* w) {
  const double x = fabs(w[0]);
  const double y = fabs(w[1]);
  const double z = fabs(w[2]);
  const double largest = (x >= y && x >= z) ? w[0] : (y >= z ? w[1] : w[2]);
  if (largest < 0.0) {
    w[0] = -w[0];
    w[1] = -w[1];
    w[2] = -w[2];
  }
}

/// Puts w on the coordinate axis of its largest |component| (the first of equals).
POINTTREE_HOST_DEVICE POINTTREE_ALWAYS_INLINE void align_to_axis(double* w) {
  const double x = fabs(w[0]);
  const double y = fabs(w[1]);
  const double z = fabs(w[2]);
  const int axis = (x >= y && x >= z) ? 0 : (y >= z ? 1 : 2);
  for (int c = 0; c < 3; ++c) w[c] = c == axis ? 1.0 : 0.0;
}

}  // namespace pointtree::geometry::detail

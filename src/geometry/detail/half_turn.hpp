// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/host_device.hpp"

namespace pointtree::geometry::detail {

/// A turn by an angle.
struct Turn {
  double cos;
  double sin;
};

/// The turn by half the angle of (x, y), from −90° to 90°; none for (0, 0). Made of roots and
/// quotients alone, which unlike the C library's angles have the same last bit everywhere.
POINTTREE_HOST_DEVICE inline Turn half_turn(double x, double y) {
  const double length = sqrt(x * x + y * y);
  if (!(length > 0.0)) return {1.0, 0.0};
  if (x >= 0.0) {
    const double c = sqrt(0.5 * (1.0 + x / length));
    return {c, 0.5 * (y / length) / c};
  }
  const double s = sqrt(0.5 * (1.0 - x / length));
  return {0.5 * fabs(y / length) / s, copysign(s, y)};
}

}  // namespace pointtree::geometry::detail

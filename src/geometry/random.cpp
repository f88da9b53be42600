// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/random.hpp"

#include <cmath>

namespace pointtree::geometry {

std::uint64_t Random::below(std::uint64_t count) {
  // Draws beyond the last whole multiple of `count` would favour small numbers.
  const std::uint64_t excess = (0 - count) % count;
  std::uint64_t draw = engine_();
  while (draw < excess) draw = engine_();
  return draw % count;
}

double Random::normal() {
  // Marsaglia's polar method.
  for (;;) {
    const double u = uniform(-1.0, 1.0);
    const double v = uniform(-1.0, 1.0);
    const double square = u * u + v * v;
    if (square > 0.0 && square < 1.0) return u * std::sqrt(-2.0 * std::log(square) / square);
  }
}

Eigen::RowVector3d Random::direction() {
  for (;;) {
    const double x = uniform(-1.0, 1.0);
    const double y = uniform(-1.0, 1.0);
    const double z = uniform(-1.0, 1.0);
    const Eigen::RowVector3d v(x, y, z);
    const double square = v.squaredNorm();
    if (square > 1e-6 && square <= 1.0) return v / std::sqrt(square);
  }
}

}  // namespace pointtree::geometry

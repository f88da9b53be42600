// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>

namespace pointtree::geometry {

/// Seeded random numbers that are the same with every compiler and standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform among 0 … count − 1; count must be positive.
  std::uint64_t below(std::uint64_t count);

  /// Standard normal.
  double normal();

  /// Uniform on the unit sphere.
  Eigen::RowVector3d direction();

 private:
  std::mt19937_64 engine_;
};

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "geometry/detail/fourth_moments.hpp"
#include "geometry/detail/point_moments.hpp"

namespace pointtree::geometry::align {

/// Coordinates of a cloud, axis by axis, each padded to a multiple of four.
struct Coordinates {
  double* axis[3];
  std::size_t n;       ///< points
  std::size_t padded;  ///< n rounded up to a multiple of four
};

/// What a pass over the points is asked to add up.
enum class Measure {
  third,      ///< Σx³ per axis, and the sum of norms after scaling
  fourth,     ///< all products of four coordinates
  magnitude,  ///< Σ|x| and Σx³ per axis
};

/// Sums over the points of a cloud.
struct Sums {
  detail::FourthMomentsOf<double> fourth{};
  double third[3] = {0, 0, 0};
  double magnitude[3] = {0, 0, 0};
  double norm = 0;  ///< Σ‖(scale₀x, scale₁y, scale₂z)‖
};

/// First and second moments about the provisional centre.
struct LoadedMoments {
  double first[3] = {0, 0, 0};
  detail::SymmetricOf<double> second{};
};

/// The loops over points that pre-alignment is made of, compiled once per instruction set with the
/// same results.
struct Passes {
  /// Spreads rows of `stride` numbers over the axes, less the centre; the padding becomes zero.
  LoadedMoments (*load_float)(const float* rows, std::ptrdiff_t stride, const double centre[3],
                              const Coordinates& out);
  LoadedMoments (*load_double)(const double* rows, std::ptrdiff_t stride, const double centre[3],
                               const Coordinates& out);
  /// Moves all points and adds up their moments there; `scale` is used for norms only.
  Sums (*transform)(const Coordinates& points, const detail::AffineMap<double>& map,
                    Measure measure, const double scale[3]);
  /// Writes p · scale + shift as rows of three floats.
  void (*write)(const Coordinates& points, const double scale[3], const double shift[3],
                float* rows);
};

Passes generic_passes();
#ifdef POINTTREE_AVX2_KERNEL
Passes avx2_passes();
#endif

}  // namespace pointtree::geometry::align

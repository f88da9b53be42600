// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "align/tolerances.hpp"
#include "geometry/cuda/pose_record.hpp"
#include "geometry/detail/half_turn.hpp"
#include "geometry/detail/independent_axes.hpp"
#include "geometry/detail/point_moments.hpp"
#include "geometry/detail/principal_direction.hpp"
#include "pointtree/geometry/pre_align.hpp"

// The mathematics of pre-alignment between the passes over the points: 3×3 matrices and decisions.
namespace pointtree::geometry::cuda {

/// The public options as plain numbers.
struct AlignRules {
  PreAlignMode mode = PreAlignMode::canonical;
  double canonical_scale[3] = {1.2, 1.1, 1.0};
};

struct Matrix3 {
  double at[3][3];
};

POINTTREE_HOST_DEVICE inline Matrix3 identity() {
  return {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

POINTTREE_HOST_DEVICE inline Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 result{};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      result.at[r][c] =
          (a.at[r][0] * b.at[0][c] + a.at[r][1] * b.at[1][c]) + a.at[r][2] * b.at[2][c];
    }
  }
  return result;
}

POINTTREE_HOST_DEVICE inline Matrix3 transposed(const Matrix3& m) {
  Matrix3 result{};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) result.at[r][c] = m.at[c][r];
  }
  return result;
}

/// A cloud on its way to its standard pose: a point p is at (p − start − rest) · linear · scale.
struct Pose {
  double start[3];     ///< a point near the centroid
  double rest[3];      ///< from there to the centroid
  double count;        ///< points
  double noise;        ///< deviation below which an axis holds nothing but the input's rounding
  Matrix3 covariance;  ///< of the points as mapped by `linear`
  Matrix3 linear;
  double scale[3];
  double norm;  ///< Σ‖p‖ as mapped by linear and scale
  std::int32_t rank;
  std::int32_t tied;
  std::int32_t finite;
};

POINTTREE_HOST_DEVICE inline bool is_finite(double value) { return value - value == 0.0; }

/// Starts from the sums of x, y, z, xx, xy, xz, yy, yz, zz about `start`.
POINTTREE_HOST_DEVICE inline Pose make_pose(const double start[3], const double sums[9],
                                            std::uint32_t n) {
  constexpr double kFloatEpsilon = 1.1920928955078125e-07;
  Pose pose{};
  pose.count = n;
  double square = 0.0;
  bool finite = true;
  for (int c = 0; c < 3; ++c) {
    pose.start[c] = start[c];
    pose.rest[c] = sums[c] / pose.count;
    const double centre = start[c] + pose.rest[c];
    square += centre * centre;
    finite = finite && is_finite(centre);
    pose.scale[c] = 1.0;
  }
  const int entry[3][3] = {{3, 4, 5}, {4, 6, 7}, {5, 7, 8}};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      pose.covariance.at[r][c] = sums[entry[r][c]] / pose.count - pose.rest[r] * pose.rest[c];
    }
  }
  const Matrix3& m = pose.covariance;
  const double trace = m.at[0][0] + m.at[1][1] + m.at[2][2];
  pose.finite = static_cast<std::int32_t>(finite && is_finite(trace));
  pose.noise = kFloatEpsilon * sqrt((trace > 0.0 ? trace : 0.0) + square);
  pose.linear = identity();
  pose.rank = 3;
  return pose;
}

POINTTREE_HOST_DEVICE inline detail::Eigen3 principal_axes(const Matrix3& m) {
  return detail::symmetric_eigen(
      {m.at[0][0], m.at[0][1], m.at[0][2], m.at[1][1], m.at[1][2], m.at[2][2]});
}

POINTTREE_HOST_DEVICE inline double deviation(double variance) {
  return sqrt(variance > 0.0 ? variance : 0.0);
}

POINTTREE_HOST_DEVICE inline bool any_tie(const double values[3], int rank) {
  for (int k = 0; k + 1 < rank; ++k) {
    if (values[k] - values[k + 1] <= detail::kTieTolerance * values[0]) return true;
  }
  return false;
}

/// Applies one more map.
POINTTREE_HOST_DEVICE inline void apply(Pose& pose, const Matrix3& map) {
  pose.covariance = product(product(transposed(map), pose.covariance), map);
  pose.linear = product(pose.linear, map);
}

/// Counts the axes that are longer than rounding makes them.
POINTTREE_HOST_DEVICE inline void find_rank(Pose& pose) {
  const detail::Eigen3 e = principal_axes(pose.covariance);
  pose.rank = 0;
  for (const double value : e.values) pose.rank += deviation(value) > pose.noise ? 1 : 0;
}

/// Turns the principal axes to the coordinate axes, in order of length, and makes all deviations 1.
POINTTREE_HOST_DEVICE inline void whiten(Pose& pose) {
  const detail::Eigen3 e = principal_axes(pose.covariance);
  const double least = align::kRankTolerance * deviation(e.values[0]);
  const double floor = least > pose.noise ? least : pose.noise;
  Matrix3 map{};
  pose.rank = 0;
  for (int k = 0; k < 3 && deviation(e.values[k]) > floor; ++k, ++pose.rank) {
    for (int c = 0; c < 3; ++c) map.at[c][k] = e.vectors[k][c] * (1.0 / deviation(e.values[k]));
  }
  pose.tied = static_cast<std::int32_t>(any_tie(e.values, pose.rank));
  apply(pose, map);
}

/// Makes the third moments of the first axes positive.
POINTTREE_HOST_DEVICE inline void fix_signs(Pose& pose, const double third[3], int axes) {
  for (int k = 0; k < axes; ++k) {
    const double size = deviation(pose.covariance.at[k][k]);
    if (fabs(third[k]) <= align::kSkewTolerance * pose.count * size * size * size) pose.tied = 1;
    if (third[k] < 0.0) pose.scale[k] = -pose.scale[k];
  }
}

/// Fifteen sums in the order of their names.
POINTTREE_HOST_DEVICE inline detail::FourthMomentsOf<double> fourth_moments(const double sums[15]) {
  return {sums[0], sums[1], sums[2],  sums[3],  sums[4],  sums[5],  sums[6], sums[7],
          sums[8], sums[9], sums[10], sums[11], sums[12], sums[13], sums[14]};
}

/// Turns a white cloud to its independent axes.
POINTTREE_HOST_DEVICE inline void turn_to_independent_axes(
    Pose& pose, const detail::FourthMomentsOf<double>& fourth, const double scale[3]) {
  const detail::IndependentAxes found = detail::independent_axes(fourth, pose.count, pose.rank);
  pose.tied = static_cast<std::int32_t>(found.tied);
  Matrix3 map{};
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) map.at[c][k] = found.axes[k][c];
    pose.scale[k] = scale[k];
  }
  apply(pose, map);
}

/// Sorts the axes of a white cloud by increasing mean |value| and scales these to 1; the third
/// moments are sorted along.
POINTTREE_HOST_DEVICE inline void sort_and_scale(Pose& pose, const double magnitude[3],
                                                 double third[3]) {
  int order[3] = {0, 1, 2};
  for (int k = 1; k < pose.rank; ++k) {
    for (int j = k; j > 0 && magnitude[order[j]] < magnitude[order[j - 1]]; --j) {
      const int swapped = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swapped;
    }
  }
  const double measured[3] = {third[0], third[1], third[2]};
  Matrix3 map{};
  for (int k = 0; k < 3; ++k) {
    map.at[order[k]][k] = 1.0;
    third[k] = measured[order[k]];
    const double mean = magnitude[order[k]] / pose.count;
    pose.scale[k] = mean > 0.0 ? 1.0 / mean : 1.0;
  }
  apply(pose, map);
}

/// Turns the longest level direction to x.
POINTTREE_HOST_DEVICE inline void turn_level(Pose& pose) {
  const double xx = pose.covariance.at[0][0];
  const double xy = pose.covariance.at[0][1];
  const double yy = pose.covariance.at[1][1];
  const detail::Turn longest = detail::half_turn(xx - yy, 2.0 * xy);
  const double gap = sqrt(4.0 * xy * xy + (xx - yy) * (xx - yy));
  pose.tied = static_cast<std::int32_t>(gap <= detail::kTieTolerance * (xx + yy));
  Matrix3 map = identity();
  map.at[0][0] = map.at[1][1] = longest.cos;
  map.at[1][0] = longest.sin;
  map.at[0][1] = -map.at[1][0];
  apply(pose, map);
}

/// The whole map of a finished pose, scaled to mean norm 1.
POINTTREE_HOST_DEVICE inline PoseRecord finished(const Pose& pose, bool keeps_centre) {
  PoseRecord record{};
  const double norm = pose.norm / pose.count;
  for (int c = 0; c < 3; ++c) {
    const double factor = norm > 0.0 ? pose.scale[c] / norm : pose.scale[c];
    for (int r = 0; r < 3; ++r) record.linear[3 * r + c] = pose.linear.at[r][c] * factor;
  }
  for (int c = 0; c < 3; ++c) {
    double moved = 0.0;
    for (int r = 0; r < 3; ++r) {
      moved += (pose.start[r] + pose.rest[r]) * record.linear[3 * r + c];
    }
    record.translation[c] = (keeps_centre ? pose.start[c] + pose.rest[c] : 0.0) - moved;
  }
  record.rank = pose.rank;
  record.tied = pose.tied;
  record.finite = pose.finite;
  return record;
}

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/detail/fourth_moments.hpp"
#include "geometry/detail/half_turn.hpp"
#include "geometry/detail/principal_direction.hpp"
#include "geometry/detail/symmetric_eigen.hpp"

// The directions along which a whitened cloud falls into independent coordinates, as far as fourth
// moments can tell: independent component analysis by joint diagonalisation of the fourth-order
// cumulants (JADE; Cardoso and Souloumiac 1993), started at the eigenvectors of mean(‖x‖² x xᵀ).
namespace pointtree::geometry::detail {

/// Axes of a whitened cloud; axes[k] is a unit vector.
struct IndependentAxes {
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double fourth[3] = {0, 0, 0};  ///< mean fourth power along each axis, in decreasing order
  bool tied = false;  ///< some turn changes next to nothing, or two axes or starts are alike
};

/// The six cumulant matrices in the present axes, and those axes.
struct CumulantMatrices {
  double matrices[6][3][3];
  double axes[3][3];

  /// Turns axes p and q towards each other.
  POINTTREE_HOST_DEVICE void turn(int p, int q, double c, double s) {
    for (auto& m : matrices) {
      for (int k = 0; k < 3; ++k) {
        const double a = m[k][p];
        const double b = m[k][q];
        m[k][p] = c * a + s * b;
        m[k][q] = c * b - s * a;
      }
      for (int k = 0; k < 3; ++k) {
        const double a = m[p][k];
        const double b = m[q][k];
        m[p][k] = c * a + s * b;
        m[q][k] = c * b - s * a;
      }
    }
    for (int k = 0; k < 3; ++k) {
      const double a = axes[p][k];
      const double b = axes[q][k];
      axes[p][k] = c * a + s * b;
      axes[q][k] = c * b - s * a;
    }
  }

  /// The contrast as a function of the turn in a plane is constant + on cos 4θ + off sin 4θ,
  /// halved.
  POINTTREE_HOST_DEVICE void plane(int p, int q, double& on, double& off) const {
    on = 0.0;
    off = 0.0;
    for (int pair = 0; pair < 6; ++pair) {
      const double weight = pair < 3 ? 1.0 : 2.0;  // (k, l) and (l, k)
      const double difference = matrices[pair][p][p] - matrices[pair][q][q];
      const double twice = 2.0 * matrices[pair][p][q];
      on += weight * (difference * difference - twice * twice);
      off += weight * 2.0 * difference * twice;
    }
  }

  POINTTREE_HOST_DEVICE double squares() const {
    double sum = 0.0;
    for (int pair = 0; pair < 6; ++pair) {
      for (const auto& row : matrices[pair]) {
        for (const double value : row) sum += (pair < 3 ? 1.0 : 2.0) * value * value;
      }
    }
    return sum;
  }
};

/// Planes 0, 1, 2 are xy, xz, yz.
POINTTREE_HOST_DEVICE inline int first_axis(int plane) { return plane == 2 ? 1 : 0; }
POINTTREE_HOST_DEVICE inline int second_axis(int plane) { return plane == 0 ? 1 : 2; }

/// Plane by plane towards the nearest maximum of the diagonal's squares. Where that converges
/// slowly it ends after 8 sweeps, the same for every image of a cloud.
POINTTREE_HOST_DEVICE inline void diagonalise(CumulantMatrices& cumulants) {
  for (int sweep = 0; sweep < 8; ++sweep) {
    double largest = 0.0;
    for (int plane = 0; plane < 3; ++plane) {
      const int p = first_axis(plane);
      const int q = second_axis(plane);
      double on = 0.0;
      double off = 0.0;
      cumulants.plane(p, q, on, off);
      const Turn twice = half_turn(on, off);
      const Turn turn = half_turn(twice.cos, twice.sin);
      if (turn.sin == 0.0) continue;
      cumulants.turn(p, q, turn.cos, turn.sin);
      largest = fmax(largest, fabs(turn.sin));
    }
    if (largest < 1e-12) return;
  }
}

/// mean((axis · p)⁴) from the moments.
POINTTREE_HOST_DEVICE inline double fourth_along(const double moments[6][3][3],
                                                 const double axis[3]) {
  constexpr int kFirst[6] = {0, 1, 2, 0, 0, 1};
  constexpr int kSecond[6] = {0, 1, 2, 1, 2, 2};
  double sum = 0.0;
  for (int pair = 0; pair < 6; ++pair) {
    double along = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) along += axis[i] * moments[pair][i][j] * axis[j];
    }
    sum += (pair < 3 ? 1.0 : 2.0) * axis[kFirst[pair]] * axis[kSecond[pair]] * along;
  }
  return sum;
}

/// The cumulants of a cloud whose covariance is 1 in the first `rank` axes and 0 in the others.
POINTTREE_HOST_DEVICE inline void subtract_gaussian(int rank, double matrices[6][3][3]) {
  for (int k = 0; k < rank; ++k) {
    for (int i = 0; i < rank; ++i) matrices[k][i][i] -= i == k ? 3.0 : 1.0;
  }
  for (int plane = 0; plane < 3; ++plane) {
    const int p = first_axis(plane);
    const int q = second_axis(plane);
    if (q >= rank) continue;
    matrices[3 + plane][p][q] -= 1.0;
    matrices[3 + plane][q][p] -= 1.0;
  }
}

POINTTREE_HOST_DEVICE inline bool any_plane_tied(const CumulantMatrices& cumulants, int rank) {
  const double limit = kTieTolerance * cumulants.squares();
  for (int plane = 0; plane < 3; ++plane) {
    if (second_axis(plane) >= rank) continue;
    double on = 0.0;
    double off = 0.0;
    cumulants.plane(first_axis(plane), second_axis(plane), on, off);
    if (!(sqrt(on * on + off * off) > limit)) return true;
  }
  return false;
}

/// The axes of a whitened cloud of which the first `rank` coordinates are not zero.
POINTTREE_HOST_DEVICE inline IndependentAxes independent_axes(const FourthMomentsOf<double>& sums,
                                                              double count, int rank) {
  double moments[6][3][3];
  moment_matrices(sums, count, moments);
  Symmetric3 start;  // mean(‖x‖² x xᵀ)
  for (int k = 0; k < 3; ++k) {
    start.xx += moments[k][0][0];
    start.xy += moments[k][0][1];
    start.xz += moments[k][0][2];
    start.yy += moments[k][1][1];
    start.yz += moments[k][1][2];
    start.zz += moments[k][2][2];
  }
  const Eigen3 first = symmetric_eigen(start);
  IndependentAxes result;
  // Where the start is open, it may lead to one or another of several maxima.
  for (int k = 0; k + 1 < rank; ++k) {
    const double gap = first.values[k] - first.values[k + 1];
    if (gap <= kTieTolerance * first.values[0]) result.tied = true;
  }
  CumulantMatrices cumulants{};
  for (int pair = 0; pair < 6; ++pair) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) cumulants.matrices[pair][i][j] = moments[pair][i][j];
    }
  }
  subtract_gaussian(rank, cumulants.matrices);
  for (auto& m : cumulants.matrices) {
    double turned[3][3] = {};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) turned[i][j] += first.vectors[i][k] * m[k][j];
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        m[i][j] = 0.0;
        for (int k = 0; k < 3; ++k) m[i][j] += turned[i][k] * first.vectors[j][k];
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) cumulants.axes[i][k] = first.vectors[i][k];
  }
  diagonalise(cumulants);

  Eigen3 sorted;
  for (int i = 0; i < 3; ++i) {
    sorted.values[i] = fourth_along(moments, cumulants.axes[i]);
    for (int k = 0; k < 3; ++k) sorted.vectors[i][k] = cumulants.axes[i][k];
  }
  swap_pairs(sorted, 0, 1);
  swap_pairs(sorted, 0, 2);
  swap_pairs(sorted, 1, 2);
  if (any_plane_tied(cumulants, rank)) result.tied = true;
  for (int i = 0; i < 3; ++i) {
    result.fourth[i] = sorted.values[i];
    for (int k = 0; k < 3; ++k) result.axes[i][k] = sorted.vectors[i][k];
    if (i + 1 < rank &&
        sorted.values[i] - sorted.values[i + 1] <= kTieTolerance * sorted.values[0]) {
      result.tied = true;
    }
  }
  return result;
}

}  // namespace pointtree::geometry::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "geometry/host_device.hpp"

namespace pointtree::geometry::detail {

/// A symmetric 3×3 matrix by its upper triangle.
struct Symmetric3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

/// Eigenvalues in decreasing order; vectors[k] is the unit eigenvector of values[k].
struct Eigen3 {
  double values[3] = {0, 0, 0};
  double vectors[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

/// One Jacobi rotation in the plane (p, q): zeroes a[p][q] and turns the rows of v along.
POINTTREE_HOST_DEVICE inline void jacobi_rotate(double a[3][3], double v[3][3], int p, int q) {
  if (a[p][q] == 0.0) return;
  const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0);
  const double s = t * c;
  const int r = 3 - p - q;
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0.0;
  const double rp = a[r][p];
  const double rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int k = 0; k < 3; ++k) {
    const double vp = v[p][k];
    const double vq = v[q][k];
    v[p][k] = c * vp - s * vq;
    v[q][k] = s * vp + c * vq;
  }
}

POINTTREE_HOST_DEVICE inline void swap_pairs(Eigen3& e, int i, int j) {
  if (e.values[i] >= e.values[j]) return;
  const double value = e.values[i];
  e.values[i] = e.values[j];
  e.values[j] = value;
  for (int k = 0; k < 3; ++k) {
    const double x = e.vectors[i][k];
    e.vectors[i][k] = e.vectors[j][k];
    e.vectors[j][k] = x;
  }
}

POINTTREE_HOST_DEVICE inline void sort_decreasing(Eigen3& e) {
  swap_pairs(e, 0, 1);
  swap_pairs(e, 0, 2);
  swap_pairs(e, 1, 2);
}

/// Eigen-decomposition by cyclic Jacobi, to rounding error: quadratic convergence, at most 12
/// sweeps (5 are usual).
POINTTREE_HOST_DEVICE inline Eigen3 symmetric_eigen(const Symmetric3& m) {
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  Eigen3 e;
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
    const double diagonal = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
    if (off <= 1e-18 * diagonal) break;
    jacobi_rotate(a, e.vectors, 0, 1);
    jacobi_rotate(a, e.vectors, 0, 2);
    jacobi_rotate(a, e.vectors, 1, 2);
  }
  for (int k = 0; k < 3; ++k) e.values[k] = a[k][k];
  sort_decreasing(e);
  return e;
}

}  // namespace pointtree::geometry::detail

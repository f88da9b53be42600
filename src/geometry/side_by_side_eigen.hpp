// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "geometry/detail/symmetric_eigen.hpp"
#include "geometry/target_clones.hpp"

// Eigen-decompositions of several symmetric 3×3 matrices at once: the loops over them become
// whatever vectors the processor has. Everything here has internal linkage, because it is compiled
// once per instruction set.
namespace pointtree::geometry::side_by_side {
namespace {

constexpr int kMatrices = 16;

/// Upper triangles, and the eigenvectors as rows; element [row][column][matrix].
struct Matrices {
  double a[3][3][kMatrices] = {};
  double v[3][3][kMatrices] = {};

  void set(int matrix, const detail::Symmetric3& m) {
    a[0][0][matrix] = m.xx;
    a[0][1][matrix] = m.xy;
    a[0][2][matrix] = m.xz;
    a[1][1][matrix] = m.yy;
    a[1][2][matrix] = m.yz;
    a[2][2][matrix] = m.zz;
    for (int k = 0; k < 3; ++k) v[k][k][matrix] = 1.0;
  }

  /// Of a matrix that is diagonal by now.
  detail::Eigen3 eigen(int matrix) const {
    detail::Eigen3 e;
    for (int k = 0; k < 3; ++k) {
      e.values[k] = a[k][k][matrix];
      for (int c = 0; c < 3; ++c) e.vectors[k][c] = v[k][c][matrix];
    }
    detail::sort_decreasing(e);
    return e;
  }
};

/// One Jacobi rotation in the plane (p, q) of every matrix.
template <int p, int q>
POINTTREE_ALWAYS_INLINE void rotate(Matrices& m) {
  constexpr int kOther = 3 - p - q;
  auto& with_p = m.a[p < kOther ? p : kOther][p < kOther ? kOther : p];
  auto& with_q = m.a[q < kOther ? q : kOther][q < kOther ? kOther : q];
  double cosine[kMatrices], sine[kMatrices];
  for (int i = 0; i < kMatrices; ++i) {
    const double off = 2.0 * m.a[p][q][i];
    const double difference = m.a[q][q][i] - m.a[p][p][i];
    // The smallest normal number keeps matrices that are diagonal already from 0 / 0.
    const double below = std::fabs(difference) + std::sqrt(difference * difference + off * off) +
                         std::numeric_limits<double>::min();
    const double t = (difference < 0.0 ? -off : off) / below;
    cosine[i] = 1.0 / std::sqrt(t * t + 1.0);
    sine[i] = t * cosine[i];
    m.a[p][p][i] -= t * m.a[p][q][i];
    m.a[q][q][i] += t * m.a[p][q][i];
    m.a[p][q][i] = 0.0;
  }
  const auto turn = [&](double(&first)[kMatrices], double(&second)[kMatrices]) {
    for (int i = 0; i < kMatrices; ++i) {
      const double before = first[i];
      first[i] = cosine[i] * before - sine[i] * second[i];
      second[i] = sine[i] * before + cosine[i] * second[i];
    }
  };
  turn(with_p, with_q);
  for (int k = 0; k < 3; ++k) turn(m.v[p][k], m.v[q][k]);
}

/// By cyclic Jacobi. Convergence is quadratic: four sweeps reach rounding error.
POINTTREE_CLONES void diagonalise(Matrices& m) {
  for (int sweep = 0; sweep < 4; ++sweep) {
    rotate<0, 1>(m);
    rotate<0, 2>(m);
    rotate<1, 2>(m);
  }
}

}  // namespace
}  // namespace pointtree::geometry::side_by_side

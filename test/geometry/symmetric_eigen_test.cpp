// SPDX-License-Identifier: Apache-2.0
#include "geometry/detail/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "geometry/property_seed.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

Eigen::Matrix3d vectors_of(const detail::Eigen3& e) {
  Eigen::Matrix3d rows;
  for (int k = 0; k < 3; ++k) rows.row(k) << e.vectors[k][0], e.vectors[k][1], e.vectors[k][2];
  return rows;
}

detail::Eigen3 solve(const Eigen::Matrix3d& m) {
  return detail::symmetric_eigen({m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)});
}

TEST(SymmetricEigen, agrees_with_eigen_over_many_magnitudes) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  for (int t = 0; t < 20000; ++t) {
    const Eigen::Matrix3d turn = random_rotation(random);
    Eigen::Vector3d values;
    for (double& value : values) value = std::pow(10.0, random.uniform(-12.0, 6.0));
    const Eigen::Matrix3d m = turn * values.asDiagonal() * turn.transpose();
    const detail::Eigen3 found = solve(m);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> expected(m);
    const double scale = expected.eigenvalues()[2];
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(found.values[k], expected.eigenvalues()[2 - k], 1e-14 * scale);
    }
    const Eigen::Matrix3d v = vectors_of(found);
    ASSERT_LT((v * v.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    const Eigen::Vector3d diagonal(found.values[0], found.values[1], found.values[2]);
    ASSERT_LT((v.transpose() * diagonal.asDiagonal() * v - m).norm(), 1e-14 * scale);
  }
}

TEST(SymmetricEigen, diagonal_and_tied_matrices_keep_orthonormal_vectors) {
  for (const Eigen::Vector3d& values :
       {Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(2, 2, 1), Eigen::Vector3d(1, 1, 1),
        Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 5, 0)}) {
    const detail::Eigen3 found = solve(values.asDiagonal());
    const Eigen::Matrix3d v = vectors_of(found);
    EXPECT_LT((v * v.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-15);
    EXPECT_GE(found.values[0], found.values[1]);
    EXPECT_GE(found.values[1], found.values[2]);
    EXPECT_EQ(found.values[0], values.maxCoeff());
  }
}

}  // namespace
}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "geometry/multi_scale_features.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kPerScale = 11;

Rows features_of(const Points& leaves) {
  Rows rows(leaves.rows(), multi_scale_channels(static_cast<int>(leaves.rows())));
  write_multi_scale_features(leaves, rows.data(), rows.outerStride());
  return rows;
}

TEST(MultiScaleFeatures, channels_grow_with_the_scales_of_the_tree) {
  EXPECT_EQ(multi_scale_channels(8), 1);
  EXPECT_EQ(multi_scale_channels(16), 1 + kPerScale);
  EXPECT_EQ(multi_scale_channels(32), 1 + kPerScale);
  EXPECT_EQ(multi_scale_channels(1024), 1 + 4 * kPerScale);
}

TEST(MultiScaleFeatures, every_scale_agrees_with_the_points_of_its_subtree) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const auto& cloud : test::generic_clouds(256, seed)) {
    SCOPED_TRACE(cloud.name);
    const Points leaves = test::in_leaf_order(cloud.points);
    const Rows rows = features_of(leaves);
    const Eigen::RowVector3d centre = leaves.cast<double>().colwise().mean();
    int column = 1;
    for (const int scale : {8, 32, 128}) {
      for (int row = 0; row < leaves.rows(); ++row) {
        const PointsOf<double> subtree =
            leaves.middleRows(row / scale * scale, scale).cast<double>();
        const Eigen::RowVector3d mean = subtree.colwise().mean();
        const PointsOf<double> about = subtree.rowwise() - mean;
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(about.transpose() * about /
                                                                    scale);
        const double unit = std::sqrt(scale / 256.0);
        const auto found = rows.row(row).segment(column, kPerScale).cast<double>();
        const Eigen::Vector3d normal = solver.eigenvectors().col(0);
        const Eigen::RowVector3d offset = leaves.row(row).cast<double>() - mean;
        for (int k = 0; k < 3; ++k) {
          const Eigen::Vector3d axis = solver.eigenvectors().col(2 - k);
          EXPECT_NEAR(found[k], std::sqrt(solver.eigenvalues()[2 - k]) / unit, 1e-4);
          EXPECT_NEAR(found[5 + k], std::abs(offset.dot(axis)) / unit, 1e-3);
          EXPECT_NEAR(found[8 + k], std::abs(normal[k]), 1e-3);
        }
        EXPECT_NEAR(found[3], (mean - centre).norm(), 1e-5);
        EXPECT_NEAR(found[4], std::abs((mean - centre).dot(normal)), 1e-3);
      }
      column += kPerScale;
    }
    for (int row = 0; row < leaves.rows(); ++row) {
      EXPECT_NEAR(rows(row, 0), (leaves.row(row).cast<double>() - centre).norm(), 1e-5);
    }
  }
}

TEST(MultiScaleFeatures, rotations_change_nothing_but_the_normals_and_mirrors_not_even_them) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(256, seed));
  const Rows rows = features_of(leaves);
  Random random(seed);
  const Points turned = Transformation::affine(random_rotation(random)).apply(leaves);
  const Rows turned_rows = features_of(turned);
  for (int column = 0; column < rows.cols(); ++column) {
    const bool of_normal = column > 0 && (column - 1) % kPerScale >= 8;
    if (of_normal) continue;
    EXPECT_LT((rows.col(column) - turned_rows.col(column)).cwiseAbs().maxCoeff(), 1e-3F)
        << "column " << column;
  }
  Points mirrored = leaves;
  mirrored.col(0) *= -1.0F;
  mirrored.col(2) *= -1.0F;
  EXPECT_LT((rows - features_of(mirrored)).cwiseAbs().maxCoeff(), 1e-4F);
}

TEST(MultiScaleFeatures, equal_points_have_no_extent_and_finite_numbers) {
  const Rows rows = features_of(Points::Constant(64, 3, 2.5F));
  EXPECT_TRUE(rows.allFinite());
  EXPECT_EQ(rows.leftCols(9).cwiseAbs().maxCoeff(), 0.0F);
}

}  // namespace
}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "geometry/subtree_shapes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <set>

#include "geometry/clouds.hpp"
#include "geometry/local_pca_features.hpp"
#include "geometry/multi_scale_features.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/spin_images.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, kSubtreeChannels, Eigen::RowMajor>;

constexpr int kPoints = 256;

Rows features_of(const Points& leaves) {
  Rows rows(leaves.rows(), kSubtreeChannels);
  rows.setConstant(7.0F);
  write_subtree_shapes(leaves, rows.data(), rows.outerStride());
  return rows;
}

/// A subtree's shape by Eigen; axes point away from `centre`.
struct Shape {
  Eigen::Vector3d centroid;
  Eigen::Vector3d deviations;
  Eigen::Matrix3d axes;

  Shape(const Points& leaves, int begin, int count) {
    const PointsOf<double> points = leaves.middleRows(begin, count).cast<double>();
    const Eigen::RowVector3d mean = points.colwise().mean();
    const PointsOf<double> about = points.rowwise() - mean;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(about.transpose() * about / count);
    centroid = (mean - leaves.cast<double>().colwise().mean()).transpose();
    const double unit = std::sqrt(count / static_cast<double>(leaves.rows()));
    deviations = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().reverse() / unit;
    axes = solver.eigenvectors().rowwise().reverse();
    for (int k = 0; k < 3; ++k) {
      if (axes.col(k).dot(centroid) < 0.0) axes.col(k) *= -1.0;
    }
  }
};

TEST(SubtreeShapes, agree_with_the_points_of_both_siblings) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points leaves =
      test::in_leaf_order(test::scene_cloud(kPoints, static_cast<unsigned>(seed)));
  const Rows rows = features_of(leaves);
  std::set<int> written;
  for (int scale = kSmallestSubtree; scale < kPoints; scale *= 2) {
    for (int i = 0; i < kPoints / scale; ++i) {
      const Shape own(leaves, i * scale, scale);
      const Shape sibling(leaves, (i ^ 1) * scale, scale);
      const int row = i * scale + scale / 2;
      EXPECT_TRUE(written.insert(row).second);
      const Eigen::Matrix<double, 1, kSubtreeChannels> found = rows.row(row).cast<double>();
      const Eigen::Vector3d offset = sibling.centroid - own.centroid;
      const Eigen::Vector3d direction = offset.normalized();
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(found[k], own.deviations[k], 1e-4);
        EXPECT_NEAR(found[4 + k], own.axes.col(k).dot(own.centroid), 1e-3);
        EXPECT_NEAR(found[7 + k], std::abs(own.axes(k, 2)), 1e-3);
        EXPECT_NEAR(found[10 + k], std::abs(own.axes(k, 0)), 1e-3);
        EXPECT_NEAR(found[13 + k], own.centroid[k], 1e-5);
        EXPECT_NEAR(found[17 + k], own.axes.col(k).dot(direction), 1e-3);
        EXPECT_NEAR(found[23 + k], sibling.deviations[k], 1e-4);
      }
      EXPECT_NEAR(found[3], own.centroid.norm(), 1e-5);
      EXPECT_NEAR(found[16], offset.norm() / std::sqrt(scale / double{kPoints}), 1e-4);
      EXPECT_NEAR(found[20], -sibling.axes.col(2).dot(direction), 1e-3);
      EXPECT_NEAR(found[21], own.axes.col(2).dot(sibling.axes.col(2)), 1e-3);
      EXPECT_NEAR(found[22], std::abs(own.axes.col(0).dot(sibling.axes.col(0))), 1e-3);
    }
  }
  for (int row = 0; row < kPoints; ++row) {
    if (written.count(row) != 0) continue;
    EXPECT_TRUE(rows.row(row).isZero(0.0F)) << "row " << row;
  }
}

TEST(SubtreeShapes, rotations_change_nothing_but_components) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points leaves =
      test::in_leaf_order(test::scene_cloud(kPoints, static_cast<unsigned>(seed)));
  const Rows rows = features_of(leaves);
  Random random(seed);
  const Rows turned = features_of(Transformation::affine(random_rotation(random)).apply(leaves));
  for (const int column : {0, 1, 2, 3, 4, 5, 6, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25}) {
    EXPECT_LT((rows.col(column) - turned.col(column)).cwiseAbs().maxCoeff(), 1e-3F)
        << "column " << column;
  }
}

TEST(SubtreeShapes, equal_points_have_no_extent_and_finite_numbers) {
  const Rows rows = features_of(Points::Constant(64, 3, 2.5F));
  EXPECT_TRUE(rows.allFinite());
  EXPECT_EQ(rows.leftCols(7).cwiseAbs().maxCoeff(), 0.0F);
}

TEST(InputFeatures, puts_multi_scale_and_local_pca_features_spin_images_and_subtrees_side_by_side) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(64, static_cast<unsigned>(seed)));
  using AnyRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const InputFeatures all{true, true, true, true};
  const int around = multi_scale_channels(64);
  ASSERT_EQ(all.channels(64), around + kLocalPcaChannels + kSpinImageChannels + kSubtreeChannels);
  AnyRows rows(64, all.channels(64));
  geometry::write_features(leaves, Eigen::Matrix3d::Identity(), all, rows.data(),
                           rows.outerStride());
  AnyRows alone(64, around);
  write_multi_scale_features(leaves, alone.data(), alone.outerStride());
  EXPECT_EQ(rows.leftCols(around), alone);
  AnyRows near(64, kLocalPcaChannels);
  const Points normals = write_local_pca_features(leaves, near.data(), near.outerStride());
  EXPECT_EQ(rows.middleCols(around, kLocalPcaChannels), near);
  AnyRows images(64, kSpinImageChannels);
  write_spin_images(leaves, normals, images.data(), images.outerStride());
  EXPECT_EQ(rows.middleCols(around + kLocalPcaChannels, kSpinImageChannels), images);
  EXPECT_EQ(rows.rightCols(kSubtreeChannels), features_of(leaves));
  EXPECT_TRUE(InputFeatures{}.empty());
  EXPECT_EQ(InputFeatures{}.channels(64), 0);
}

TEST(SubtreeShapes, a_repeated_leaf_stands_for_its_equal_points) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points few = test::in_leaf_order(test::scene_cloud(32, static_cast<unsigned>(seed)));
  const InputFeatures features{true, false, false, true, false, true, false};
  for (const int times : {1, 2, 8, 32}) {
    Points all(32 * times, 3);
    for (Eigen::Index row = 0; row < all.rows(); ++row) all.row(row) = few.row(row / times);
    const int columns = features.channels(static_cast<int>(all.rows()));
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Matrix expected(all.rows(), columns);
    geometry::write_features(all, Eigen::Matrix3d::Identity(), features, expected.data(), columns);
    Matrix found(32 * (1 + equal_scales(times)), columns);
    found.setConstant(7.0F);
    geometry::write_features(few, Eigen::Matrix3d::Identity(), features, found.data(), columns,
                             {times, 32 * columns});
    const int seen = columns - kSubtreeChannels;
    for (int leaf = 0; leaf < 32; ++leaf) {
      ASSERT_LT((found.row(leaf) - expected.row(leaf * times)).head(seen).cwiseAbs().maxCoeff(),
                1e-5F);
    }
    const auto expect_row = [&](int found_row, int expected_row) {
      ASSERT_LT((found.row(found_row) - expected.row(expected_row))
                    .tail(kSubtreeChannels)
                    .cwiseAbs()
                    .maxCoeff(),
                1e-5F)
          << times << " times, row " << expected_row;
    };
    int block = 0;
    for (int scale = kSmallestSubtree; scale <= times; scale *= 2) {
      ++block;
      for (int leaf = 0; leaf < 32; ++leaf) expect_row(32 * block + leaf, leaf * times + scale / 2);
    }
    for (int scale = std::max(2 * times, kSmallestSubtree); scale <= 32 * times; scale *= 2) {
      for (int i = 0; i < 32 * times / scale; ++i) {
        expect_row((i * scale + scale / 2) / times, i * scale + scale / 2);
      }
    }
  }
}

}  // namespace
}  // namespace pointtree::geometry

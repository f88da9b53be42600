// SPDX-License-Identifier: Apache-2.0
#include "geometry/proportions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/subtree_shapes.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Proportions = Eigen::Matrix<float, kProportionChannels, 1>;

Proportions proportions_of(const Eigen::Matrix3d& linear) {
  Proportions values;
  write_proportions(linear, values.data());
  return values;
}

Eigen::Matrix3d random_matrix(Random& random) {
  return Eigen::Matrix3d::NullaryExpr([&] { return random.normal(); });
}

TEST(Proportions, are_lengths_and_angles_of_the_axes_in_the_input) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  for (int draw = 0; draw < 100; ++draw) {
    const Eigen::Matrix3d linear = random_matrix(random);
    const Eigen::Matrix3d axes = linear.inverse();  // row k is what one unit of axis k came from
    const Eigen::Vector3d lengths = axes.rowwise().norm().array().log();
    const Proportions found = proportions_of(linear);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[k], lengths[k] - lengths.mean(), 1e-5);
      EXPECT_NEAR(found[3 + k], axes.row(k).normalized().dot(axes.row((k + 1) % 3).normalized()),
                  1e-5);
    }
  }
}

TEST(Proportions, of_a_pose_do_not_change_with_heading_size_and_mirroring_of_the_cloud) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const PointsOf<double> cloud = test::scene_cloud(512, seed);
  const auto found = [](const PointsOf<double>& points) {
    return proportions_of(pre_align(test::rounded(points), PreAlignMode::canonical).linear);
  };
  const Proportions before = found(cloud);
  Eigen::Matrix3d turn = 3.0 * random_rotation(random);
  EXPECT_LT((found(cloud * turn) - before).cwiseAbs().maxCoeff(), 1e-3F);
  turn.col(0) *= -1.0;
  EXPECT_LT((found(cloud * turn) - before).cwiseAbs().maxCoeff(), 1e-3F);
  const Eigen::Matrix3d stretch = Eigen::Vector3d(1.0, 0.5, 3.0).asDiagonal();
  EXPECT_GT((found(cloud * stretch) - before).cwiseAbs().maxCoeff(), 0.1F);
}

TEST(Proportions, of_a_stretched_ball_are_its_half_axes) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Eigen::Vector3d half_axes(0.5, 1.0, 4.0);
  const Eigen::Matrix3d to_unit_ball = half_axes.cwiseInverse().asDiagonal();
  const Proportions found = proportions_of(random_rotation(random) * to_unit_ball);
  const Eigen::Array3d logarithms = half_axes.array().log();
  EXPECT_TRUE(
      found.head<3>().cast<double>().isApprox((logarithms - logarithms.mean()).matrix(), 1e-5));
  EXPECT_LT(found.tail<3>().cwiseAbs().maxCoeff(), 1e-5F);
}

TEST(Proportions, of_flat_clouds_are_zero) {
  Points flat = test::rounded(test::scene_cloud(64, 3));
  flat.col(1).setZero();
  EXPECT_TRUE(proportions_of(pre_align(flat, PreAlignMode::canonical).linear).isZero(0.0F));
  EXPECT_TRUE(proportions_of(Eigen::Matrix3d::Zero()).isZero(0.0F));
}

TEST(InputFeatures, puts_the_proportions_into_the_row_that_no_subtree_has) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(64, seed));
  const Eigen::Matrix3d linear = random_matrix(random);
  using Rows = Eigen::Matrix<float, 64, kSubtreeChannels, Eigen::RowMajor>;
  InputFeatures features;
  features.subtree_shapes = true;
  Rows without, with;
  write_features(leaves, linear, features, without.data(), without.outerStride());
  features.proportions = true;
  ASSERT_EQ(features.channels(64), kSubtreeChannels);
  write_features(leaves, linear, features, with.data(), with.outerStride());
  const auto row = proportions_row(64);
  EXPECT_TRUE(without.row(row).isZero(0.0F));
  EXPECT_EQ(with.row(row).head<kProportionChannels>().transpose(), proportions_of(linear));
  with.row(row).setZero();
  EXPECT_EQ(with, without);
}

}  // namespace
}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "datasets/preparation.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <optional>

#include "geometry/multi_scale_features.hpp"
#include "geometry/proportions.hpp"
#include "geometry/write_features.hpp"
#include "inference/engine/cloud_batch.hpp"
#include "noise_dataset.hpp"

namespace pointtree::datasets {
namespace {

/// Canonical poses whose roots are told their proportions; nothing is augmented.
PreparationConfig root_config() {
  PreparationConfig config = small_config().preparation;
  config.preprocessor.pre_align = geometry::PreAlignMode::canonical;
  config.preprocessor.features.subtree_shapes = true;
  config.preprocessor.features.proportions = true;
  config.augmentation = {};
  return config;
}

TEST(Preparation, multi_scale_features_follow_the_coordinates_and_extra_channels) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  const Channels without = prepare(example, config, 3).features;
  config.preprocessor.features.multi_scale = true;
  const Channels with = prepare(example, config, 3).features;
  ASSERT_EQ(with.cols(), 4 + geometry::multi_scale_channels(32));
  EXPECT_EQ(with.leftCols(4), without);
  Channels expected(32, with.cols() - 4);
  geometry::write_multi_scale_features(without.leftCols<3>(), expected.data(),
                                       expected.outerStride());
  EXPECT_EQ(with.rightCols(expected.cols()), expected);
}

TEST(Preparation, gives_the_network_the_same_bytes_as_the_engine_on_a_robot) {
  const Example example = Noise(1).at(0);
  inference::EngineInfo info;
  info.points = info.least_points = 32;
  info.channels = {"intensity"};
  info.pre_align = geometry::PreAlignMode::canonical;
  info.features = {true, true, true, true, false, true, true};
  PreparationConfig config = small_config().preparation;
  config.preprocessor = inference::preprocessor_config(info);
  config.augmentation = {};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const PreparedCloud prepared = prepare(example, config, seed);
    std::vector<std::int32_t> sampled = prepared.leaf_points;
    std::sort(sampled.begin(), sampled.end());
    const geometry::Points points = example.points(sampled, Eigen::all);
    const Channels extra = example.extra(sampled, Eigen::all);
    const inference::CloudInput cloud{
        points, {extra.data(), 32, 1, Eigen::OuterStride<>(1)}, sampled};
    inference::engine::ThreadPool pool(1);
    inference::engine::Arena arena;
    inference::engine::Context context{pool, arena, inference::engine::kernels()};
    std::vector<std::optional<inference::PosedCloud>> posed;
    const auto batch = inference::engine::prepare_batch({&cloud}, info, context, posed);
    const auto values = static_cast<std::size_t>(prepared.features.size());
    ASSERT_EQ(prepared.features.cols(), info.leaf_channels());
    EXPECT_EQ(std::vector<float>(batch.points, batch.points + values),
              std::vector<float>(prepared.features.data(), prepared.features.data() + values));
  }
}

TEST(Preparation, proportions_are_those_of_the_whole_way_to_the_coordinates) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = root_config();
  config.augmentation.signed_permutation = true;
  config.augmentation.pose_linear = 0.2;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PreparedCloud prepared = prepare(example, config, seed);
    // Without noise the coordinates are an affine map of the points, which is found again.
    Eigen::MatrixXd before(32, 4), after(32, 3);
    for (Eigen::Index leaf = 0; leaf < 32; ++leaf) {
      const auto point = prepared.leaf_points[static_cast<std::size_t>(leaf)];
      before.row(leaf) << example.points.row(point).cast<double>(), 1.0;
      after.row(leaf) = prepared.features.row(leaf).head<3>().cast<double>();
    }
    const Eigen::MatrixXd map = before.colPivHouseholderQr().solve(after);
    Eigen::Matrix<float, geometry::kProportionChannels, 1> expected;
    geometry::write_proportions(map.topRows<3>(), expected.data());
    const auto found = prepared.features.row(geometry::proportions_row(32))
                           .segment<geometry::kProportionChannels>(4);
    EXPECT_LT((found.transpose() - expected).cwiseAbs().maxCoeff(), 1e-3F) << "seed " << seed;
  }
}

TEST(Preparation, patches_are_seen_before_noise_and_move_with_the_coordinates) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = root_config();
  config.preprocessor.features.surface_patches = true;
  config.augmentation.signed_permutation = true;  // nearest neighbours remain what they are
  using Numbers = Eigen::Matrix<float, geometry::kPatchChannels, 1>;
  const auto told = [&](std::uint64_t seed) -> Numbers {
    return prepare(example, config, seed)
        .features.row(geometry::proportions_row(32))
        .segment<geometry::kPatchChannels>(4 + geometry::kProportionChannels);
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    config.augmentation.pose_jitter = 0.0;
    const Numbers found = told(seed);
    const geometry::Points leaves = prepare(example, config, seed).features.leftCols<3>();
    Numbers expected;
    geometry::write_surface_patches(geometry::surface_patches(leaves), expected.data());
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-3F) << "seed " << seed;
    config.augmentation.pose_jitter = 0.1;
    EXPECT_EQ(told(seed), found) << "seed " << seed;
  }
}

TEST(Augmentation, a_warp_is_quadratic_and_no_affine_map) {
  const geometry::Points points = Noise(1).at(0).points;
  geometry::Points warped = points;
  geometry::Random random(5);
  warp(warped, 0.1, random);
  const auto x = points.col(0).array(), y = points.col(1).array(), z = points.col(2).array();
  Eigen::MatrixXf terms(points.rows(), 10);
  terms << points, x * x, y * y, z * z, x * y, y * z, z * x, Eigen::ArrayXf::Ones(points.rows());
  const auto misfit = [&](const Eigen::MatrixXf& basis) {
    return (basis * basis.colPivHouseholderQr().solve(warped) - warped).norm();
  };
  Eigen::MatrixXf affine(points.rows(), 4);
  affine << points, Eigen::ArrayXf::Ones(points.rows());
  EXPECT_LT(misfit(terms), 1e-4F);
  EXPECT_GT(misfit(affine), 0.1F);
}

TEST(Preparation, a_warp_outlives_the_canonical_pose) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.preprocessor.pre_align = geometry::PreAlignMode::canonical;
  config.augmentation.signed_permutation = false;
  const Channels plain = prepare(example, config, 3).features;
  config.augmentation.warp = 0.1;
  const Channels warped = prepare(example, config, 3).features;
  EXPECT_GT((warped - plain).norm(), 0.05F * plain.norm());
  EXPECT_EQ(prepare(example, config, 3).features, warped);
  EXPECT_NE(prepare(example, config, 4).features, warped);
}

TEST(Preparation, a_warp_is_of_the_shape_whatever_map_comes_after_it) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  config.preprocessor.pre_align = geometry::PreAlignMode::none;
  config.augmentation = {};
  config.augmentation.warp = 0.1;
  const auto prepared = [&](geometry::TransformationKind kind) {
    config.augmentation.transformation = kind;
    const PreparedCloud cloud = prepare(example, config, 3);
    // Back in the order of the points, and with a column of ones.
    Eigen::MatrixXf points(example.points.rows(), 4);
    points.setZero();
    for (std::size_t leaf = 0; leaf < cloud.leaf_points.size(); ++leaf) {
      points.row(cloud.leaf_points[leaf]) << cloud.features.row(Eigen::Index(leaf)).head<3>(), 1.0F;
    }
    return points;
  };
  const Eigen::MatrixXf warped = prepared(geometry::TransformationKind::none);
  const Eigen::MatrixXf mapped = prepared(geometry::TransformationKind::affine);
  const Eigen::MatrixXf fit = warped * warped.colPivHouseholderQr().solve(mapped);
  EXPECT_LT((fit - mapped).norm(), 1e-4F * mapped.norm());
  EXPECT_GT((warped - mapped).norm(), 0.1F * mapped.norm());
}

TEST(Preparation, a_lost_leaf_shows_its_sibling_and_the_tree_stays) {
  const Example example = Noise(1).at(0);
  PreparationConfig config = small_config().preparation;
  const PreparedCloud whole = prepare(example, config, 3);
  config.augmentation.leaf_dropout = 1.0;
  const PreparedCloud thinned = prepare(example, config, 3);
  EXPECT_EQ(thinned.leaf_points, whole.leaf_points);
  int lost_left = 0;
  for (Eigen::Index leaf = 0; leaf < 32; leaf += 2) {
    const Eigen::RowVector3f left = whole.features.row(leaf).head<3>();
    const Eigen::RowVector3f right = whole.features.row(leaf + 1).head<3>();
    const Eigen::RowVector3f kept = thinned.features.row(leaf).head<3>();
    EXPECT_EQ(kept, thinned.features.row(leaf + 1).head<3>());
    EXPECT_TRUE(kept == left || kept == right);
    lost_left += kept == right ? 1 : 0;
  }
  EXPECT_GT(lost_left, 0);
  EXPECT_LT(lost_left, 16);
}

}  // namespace
}  // namespace pointtree::datasets

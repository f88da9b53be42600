// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>
#include <random>

#include "geometry/write_features.hpp"
#include "inference/small_configs.hpp"
#include "network/trained_like.hpp"

namespace pointtree::network {
namespace {

using geometry::Points;

/// A lopsided cloud, so that neither its axes nor their signs are tied.
Points lopsided_cloud(int count, std::mt19937& random) {
  std::exponential_distribution<float> tail(1.0F);
  std::normal_distribution<float> noise(0.0F, 0.3F);
  Points points(count, 3);
  for (int i = 0; i < count; ++i) {
    const float a = tail(random);
    const float b = tail(random) * 0.6F;
    points.row(i) << a + noise(random), b - 0.3F * a * a, tail(random) * 0.3F + 0.2F * a * b;
  }
  return points;
}

/// The network's answer to a raw cloud: pre-alignment, tree, leaf order, network.
torch::Tensor answer(PointTreeNet& net, const Points& cloud) {
  const auto aligned = geometry::pre_align(cloud, net->config().pre_align);
  const auto tree =
      geometry::build_tree(geometry::PointsView(aligned.points), net->config().tree_options());
  auto leaves = torch::empty({1, cloud.rows(), 3});
  auto rows = leaves.accessor<float, 3>();
  for (Eigen::Index j = 0; j < cloud.rows(); ++j) {
    for (int c = 0; c < 3; ++c) rows[0][j][c] = aligned.points(tree.leaf_order()[j], c);
  }
  const torch::NoGradGuard no_grad;
  const auto logits = net(leaves).logits[0];
  if (net->config().task == inference::Task::classification) return logits;
  auto by_point = torch::empty_like(logits);
  for (Eigen::Index j = 0; j < cloud.rows(); ++j) by_point[tree.leaf_order()[j]] = logits[j];
  return by_point;
}

double difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

inference::ModelConfig config_of(const char* name, geometry::PreAlignMode mode) {
  inference::ModelConfig config = inference::small_configs().at(name);
  config.points = 128;
  config.pre_align = mode;
  return config;
}

TEST(Invariance, order_of_the_input_points_does_not_matter) {
  constexpr int kSeed = 21;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (const char* name : {"def", "ka", "rns", "segmentation"}) {
    PointTreeNet net = trained_like(config_of(name, geometry::PreAlignMode::canonical), kSeed);
    for (int trial = 0; trial < 5; ++trial) {
      const Points cloud = lopsided_cloud(128, random);
      std::vector<int> order(128);
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      Points shuffled(128, 3);
      auto expected = answer(net, cloud);
      auto moved = expected.clone();
      for (int i = 0; i < 128; ++i) {
        shuffled.row(i) = cloud.row(order[i]);
        if (net->config().task == inference::Task::segmentation) moved[i] = expected[order[i]];
      }
      EXPECT_LT(difference(answer(net, shuffled), moved), 1e-4) << name;
    }
  }
}

/// Writes what the network is told beside points and extra channels: [1, N, channels] in leaf
/// order.
torch::Tensor with_features(const torch::Tensor& leaves, const inference::ModelConfig& config) {
  auto rows = leaves.clone();
  auto* first = rows.data_ptr<float>();
  const Eigen::Map<const Points, 0, Eigen::OuterStride<>> points(
      first, config.points, 3, Eigen::OuterStride<>(config.channels()));
  geometry::write_features(Points(points), Eigen::Matrix3d::Identity(), config.features,
                           first + 3 + config.extra_channels, config.channels());
  return rows;
}

TEST(Invariance, swapping_the_children_of_any_node_does_not_matter) {
  constexpr int kSeed = 22;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  const torch::NoGradGuard no_grad;
  for (const auto& [name, config] : inference::small_configs()) {
    if (config.merge == inference::Merge::concat_mlp)
      continue;  // the ablation that depends on the order
    SCOPED_TRACE(name);
    PointTreeNet net = trained_like(config, kSeed);
    const auto points = torch::randn({1, config.points, config.channels()});
    const auto expected = net(with_features(points, config)).logits;
    for (int size = 2; size <= config.points; size *= 2) {
      for (int first = 0; first < config.points; first += size) {
        auto order = torch::arange(config.points);
        order.slice(0, first, first + size / 2) += size / 2;
        order.slice(0, first + size / 2, first + size) -= size / 2;
        auto found = net(with_features(points.index_select(1, order), config)).logits;
        // A swap is its own inverse, so it also brings point labels back.
        if (config.task == inference::Task::segmentation) found = found.index_select(1, order);
        EXPECT_LT(difference(found, expected), 1e-5)
            << "node of leaves from " << first << ", " << size;
      }
    }
  }
}

TEST(Invariance, affine_maps_do_not_matter_after_canonical_alignment) {
  constexpr int kSeed = 23;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<float> entry(-1.0F, 1.0F);
  for (const char* name : {"def", "unaligned", "ka", "rns", "segmentation"}) {
    PointTreeNet net = trained_like(config_of(name, geometry::PreAlignMode::canonical), kSeed);
    for (int trial = 0; trial < 5; ++trial) {
      const Points cloud = lopsided_cloud(128, random);
      Eigen::Matrix3f map;
      do {
        map = Eigen::Matrix3f::NullaryExpr([&] { return entry(random); });
      } while (std::abs(map.determinant()) < 0.2F);
      const Eigen::RowVector3f shift =
          3.0F * Eigen::RowVector3f::NullaryExpr([&] { return entry(random); });
      const Points moved = (cloud * map).rowwise() + shift;
      EXPECT_LT(difference(answer(net, moved), answer(net, cloud)), 1e-3) << name;
    }
  }
}

TEST(Invariance, scale_does_not_matter_without_alignment) {
  constexpr int kSeed = 24;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  PointTreeNet net = trained_like(config_of("unaligned", geometry::PreAlignMode::none), kSeed);
  for (const float scale : {0.01F, 0.5F, 30.0F}) {
    Points cloud = lopsided_cloud(128, random);
    cloud.rowwise() -= cloud.colwise().mean().eval();
    EXPECT_LT(difference(answer(net, cloud * scale), answer(net, cloud)), 1e-4);
  }
}

TEST(Invariance, a_rotated_cloud_is_seen_by_the_same_tree) {
  constexpr int kSeed = 25;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  const Points cloud = lopsided_cloud(128, random);
  const Eigen::Matrix3f turn =
      Eigen::AngleAxisf(1.1F, Eigen::Vector3f(1.0F, 2.0F, -1.0F).normalized()).toRotationMatrix();
  const auto order = geometry::build_tree(cloud).leaf_order();
  const auto turned_order = geometry::build_tree(Points(cloud * turn)).leaf_order();
  PointTreeNet net = trained_like(config_of("unaligned", geometry::PreAlignMode::none), kSeed);
  auto in_one_tree = torch::empty({1, 128, 3});
  auto in_the_other = torch::empty({1, 128, 3});
  for (int j = 0; j < 128; ++j) {
    for (int c = 0; c < 3; ++c) {
      in_one_tree[0][j][c] = cloud(order[j], c);
      in_the_other[0][j][c] = cloud(turned_order[j], c);
    }
  }
  const torch::NoGradGuard no_grad;
  EXPECT_LT(difference(net(in_one_tree).logits, net(in_the_other).logits), 1e-5);
}

}  // namespace
}  // namespace pointtree::network

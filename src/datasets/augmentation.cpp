// SPDX-License-Identifier: Apache-2.0
#include "datasets/augmentation.hpp"

#include <stdexcept>
#include <string>

#include "geometry/seed.hpp"

namespace pointtree::datasets {

namespace {

void expect_range(const char* name, double value, double high) {
  if (value >= 0.0 && value <= high) return;
  throw std::invalid_argument(std::string("augmentation: ") + name + " should be in 0 to " +
                              std::to_string(high) + ", is " + std::to_string(value));
}

// What is uncertain about a pose: a small affine map.
void draw_pose(const AugmentationConfig& config, geometry::Random& random,
               AugmentationDraw& drawn) {
  for (int i = 0; i < 9 && config.pose_linear > 0.0; ++i) {
    drawn.linear(i / 3, i % 3) += static_cast<float>(config.pose_linear * random.normal());
  }
  for (int axis = 0; axis < 3 && config.pose_shift > 0.0; ++axis) {
    drawn.shift[axis] = static_cast<float>(config.pose_shift * random.normal());
  }
}

}  // namespace

void validate(const AugmentationConfig& config) {
  validate(config.observation);
  expect_range("warp", config.warp, 10.0);
  expect_range("pose_linear", config.pose_linear, 10.0);
  expect_range("pose_shift", config.pose_shift, 10.0);
  expect_range("pose_jitter", config.pose_jitter, 10.0);
  expect_range("leaf_dropout", config.leaf_dropout, 1.0);
}

void warp(geometry::Points& points, double sigma, geometry::Random& random) {
  Eigen::Matrix<float, 6, 3> coefficients;
  for (float& c : coefficients.reshaped()) c = static_cast<float>(sigma * random.normal());
  const auto x = points.col(0).array(), y = points.col(1).array(), z = points.col(2).array();
  Eigen::Matrix<float, Eigen::Dynamic, 6> products(points.rows(), 6);
  products << x * x, y * y, z * z, x * y, y * z, z * x;
  points += products * coefficients;
}

AugmentationDraw draw_augmentation(const geometry::Points& points, const AugmentationConfig& config,
                                   geometry::Random& random) {
  AugmentationDraw drawn;
  if (config.signed_permutation) {
    const auto& maps = geometry::signed_permutations();
    drawn.axes = maps[random.below(maps.size())];
  }
  draw_pose(config, random, drawn);
  if (config.pose_jitter > 0.0) {
    drawn.noise.resize(points.rows(), 3);
    for (float& coordinate : drawn.noise.reshaped()) {
      coordinate = static_cast<float>(config.pose_jitter * random.normal());
    }
  }
  return drawn;
}

Eigen::Matrix3d augment_coordinates(geometry::Points& points, const AugmentationConfig& config,
                                    geometry::Random& random) {
  const AugmentationDraw drawn = draw_augmentation(points, config, random);
  if (config.signed_permutation) points = (points * drawn.axes).eval();
  if (config.pose_linear > 0.0 || config.pose_shift > 0.0) {
    points = ((points * drawn.linear).rowwise() + drawn.shift).eval();
  }
  if (drawn.noise.size() > 0) points += drawn.noise;
  return (drawn.axes * drawn.linear).cast<double>();
}

void drop_leaves(geometry::Points& points, const std::vector<std::int32_t>& order,
                 double probability, geometry::Random& random) {
  if (probability <= 0.0) return;
  for (std::size_t leaf = 0; leaf + 1 < order.size(); leaf += 2) {
    // At most one of two siblings, or they would merely change places.
    const std::size_t lost = leaf + random.below(2);
    if (geometry::chance(random, probability)) {
      points.row(order[lost]) = points.row(order[lost ^ 1]).eval();
    }
  }
}

}  // namespace pointtree::datasets

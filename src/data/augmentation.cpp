#include "pointtree/data/augmentation.hpp"

#include <stdexcept>
#include <string>

#include "pointtree/data/seed.hpp"

namespace pointtree::data {

namespace {

void expect_range(const char* name, double value, double high) {
  if (value >= 0.0 && value <= high) return;
  throw std::invalid_argument(std::string("augmentation: ") + name + " should be in 0 to " +
                              std::to_string(high) + ", is " + std::to_string(value));
}

// What is uncertain about a pose: signs of its axes, and a small affine map.
void disturb_pose(geometry::Points& points, const AugmentationConfig& config,
                  geometry::Random& random) {
  Eigen::Matrix3f map = Eigen::Matrix3f::Identity();
  for (int axis = 0; axis < 3 && config.flip_probability > 0.0; ++axis) {
    if (chance(random, config.flip_probability)) map(axis, axis) = -1.0F;
  }
  for (int i = 0; i < 9 && config.pose_linear > 0.0; ++i) {
    map(i / 3, i % 3) += static_cast<float>(config.pose_linear * random.normal());
  }
  Eigen::RowVector3f shift = Eigen::RowVector3f::Zero();
  for (int axis = 0; axis < 3 && config.pose_shift > 0.0; ++axis) {
    shift[axis] = static_cast<float>(config.pose_shift * random.normal());
  }
  points = ((points * map).rowwise() + shift).eval();
}

}  // namespace

void validate(const AugmentationConfig& config) {
  validate(config.observation);
  expect_range("realign_probability", config.realign_probability, 1.0);
  expect_range("flip_probability", config.flip_probability, 1.0);
  expect_range("pose_linear", config.pose_linear, 10.0);
  expect_range("pose_shift", config.pose_shift, 10.0);
  expect_range("pose_jitter", config.pose_jitter, 10.0);
}

void augment_coordinates(geometry::Points& points, const AugmentationConfig& config,
                         const geometry::PreAlignOptions& pre_align, geometry::Random& random) {
  if (chance(random, config.realign_probability)) {
    const geometry::TransformationSampler sampler(geometry::TransformationKind::affine);
    points = geometry::pre_align(sampler.draw(points, random).apply(points), pre_align).points;
  }
  if (config.signed_permutation) {
    const auto& maps = geometry::signed_permutations();
    points = (points * maps[random.below(maps.size())]).eval();
  }
  if (config.flip_probability > 0.0 || config.pose_linear > 0.0 || config.pose_shift > 0.0) {
    disturb_pose(points, config, random);
  }
  if (config.pose_jitter > 0.0) {
    for (float& coordinate : points.reshaped()) {
      coordinate += static_cast<float>(config.pose_jitter * random.normal());
    }
  }
}

}  // namespace pointtree::data

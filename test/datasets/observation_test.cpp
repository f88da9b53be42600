// SPDX-License-Identifier: Apache-2.0
#include "datasets/observation.hpp"

#include <gmock/gmock.h>

#include <Eigen/QR>
#include <cmath>
#include <set>

#include "datasets/visibility.hpp"

namespace pointtree::datasets {
namespace {

geometry::Points sphere(int count, std::uint64_t seed) {
  geometry::Random random(seed);
  geometry::Points points(count, 3);
  for (int i = 0; i < count; ++i) points.row(i) = random.direction().cast<float>();
  return points;
}

TEST(VisiblePoints, near_side_of_a_sphere_is_seen_and_far_side_is_not) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    SCOPED_TRACE(seed);
    const geometry::Points points = sphere(1024, seed);
    geometry::Random random(seed);
    const Eigen::Vector3d direction = random.direction().transpose();
    const double distance = 5.0;
    const auto seen = visible_points(points, distance * direction);
    const std::set<std::int32_t> visible(seen.begin(), seen.end());
    int wrong = 0;
    for (int i = 0; i < points.rows(); ++i) {
      // From distance d a unit sphere shows the cap with cos(angle) ≥ 1/d; its rim is left out of
      // the judgement.
      const double cosine = points.row(i).cast<double>().dot(direction.transpose());
      if (cosine > 1.0 / distance + 0.15 && visible.count(i) == 0) ++wrong;
      if (cosine < 1.0 / distance - 0.35 && visible.count(i) > 0) ++wrong;
    }
    EXPECT_LT(wrong, 10) << "of 1024 points";
  }
}

TEST(VisiblePoints, a_screen_hides_what_is_behind_it) {
  geometry::Random random(9);
  geometry::Points points(4000, 3);
  for (int i = 0; i < 4000; ++i) {
    const bool behind = i >= 2000;
    const double half = behind ? 0.5 : 1.0;
    points.row(i) << (behind ? -1.0F : 0.0F), static_cast<float>(random.uniform(-half, half)),
        static_cast<float>(random.uniform(-half, half));
  }
  int behind = 0;
  int front = 0;
  for (const std::int32_t index : visible_points(points, {10.0, 0.0, 0.0}))
    ++(index >= 2000 ? behind : front);
  EXPECT_EQ(front, 2000);
  EXPECT_LT(behind, 40);
}

TEST(VisiblePoints, degenerate_clouds_are_seen_whole) {
  EXPECT_TRUE(visible_points(geometry::Points(0, 3), {1.0, 0.0, 0.0}).empty());
  EXPECT_EQ(visible_points(geometry::Points::Zero(1, 3), {1.0, 0.0, 0.0}).size(), 1U);
  EXPECT_EQ(visible_points(geometry::Points::Constant(50, 3, 2.0F), {9.0, 0.0, 0.0}).size(), 50U);
}

TEST(Observe, default_changes_nothing) {
  const geometry::Points points = sphere(100, 1);
  geometry::Random random(1);
  const Observation seen = observe(points, {}, random);
  EXPECT_EQ(seen.points, points);
  EXPECT_EQ(seen.source.size(), 100U);
}

ObservationConfig everything() {
  ObservationConfig config;
  config.partial_probability = 0.7;
  config.ring_probability = 0.5;
  config.crop_share = 0.3;
  config.drop_out = 0.3;
  config.sparse_probability = 0.5;
  config.minimum_points = 20;
  return config;
}

TEST(Observe, source_names_the_points_that_are_left) {
  const geometry::Points points = sphere(500, 2);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    geometry::Random random(seed);
    const Observation seen = observe(points, everything(), random);
    ASSERT_EQ(seen.points.rows(), static_cast<Eigen::Index>(seen.source.size()));
    EXPECT_GE(seen.source.size(), 20U);
    EXPECT_EQ(std::set<std::int32_t>(seen.source.begin(), seen.source.end()).size(),
              seen.source.size());
    EXPECT_EQ(seen.points, geometry::Points(points(seen.source, Eigen::all)));
  }
}

TEST(Observe, jitter_has_the_wanted_size) {
  const geometry::Points points = sphere(5000, 3);
  ObservationConfig config;
  config.jitter = 0.01;
  geometry::Random random(1);
  const Observation seen = observe(points, config, random);
  const double deviation = std::sqrt((seen.points - points).cast<double>().array().square().mean());
  EXPECT_NEAR(deviation, 0.01, 0.0005);
  EXPECT_LE((seen.points - points).cwiseAbs().maxCoeff(), 0.0301F);
}

TEST(Observe, tilt_stays_below_its_limit_and_keeps_the_shape) {
  geometry::Points points = sphere(64, 4);
  points.rowwise() -= points.colwise().mean();
  ObservationConfig config;
  config.tilt = 20.0;
  double largest = 0.0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    geometry::Random random(seed);
    const geometry::Points tilted = observe(points, config, random).points;
    const Eigen::Matrix3d map =
        points.cast<double>().householderQr().solve(tilted.cast<double>().eval());
    EXPECT_TRUE((map * map.transpose()).isIdentity(1e-4)) << seed;
    largest = std::max(largest, std::acos(std::min(1.0, map(2, 2))) * 180.0 / M_PI);
  }
  EXPECT_LE(largest, 20.01);
  EXPECT_GT(largest, 15.0);
}

TEST(Observe, nonsense_is_refused_by_name) {
  ObservationConfig config;
  config.drop_out = 1.5;
  try {
    validate(config);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("drop_out"));
  }
  geometry::Random random(1);
  EXPECT_THROW(observe(geometry::Points(0, 3), {}, random), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::datasets

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/pre_align.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/tree_oracle.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

constexpr PreAlignMode kModes[] = {PreAlignMode::none, PreAlignMode::plain, PreAlignMode::iterative,
                                   PreAlignMode::canonical, PreAlignMode::upright};

PreAlignOptions options_of(PreAlignMode mode) {
  PreAlignOptions options;
  options.mode = mode;
  return options;
}

/// The pose in double, by the map that pre-alignment reports.
PointsOf<double> mapped(const PointsOf<double>& points, const PreAlignment& aligned) {
  return (points * aligned.linear).rowwise() + aligned.translation;
}

Eigen::Matrix3d covariance(const PointsOf<double>& points) {
  const PointsOf<double> centred = points.rowwise() - points.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(points.rows());
}

/// A stretch of up to 100 along one axis between two rotations, and a shift.
Transformation draw_affine(Random& random) {
  const Eigen::Matrix3d stretch =
      Eigen::Vector3d(1.0, std::pow(10.0, random.uniform(-2.0, 0.0)), 1.0).asDiagonal();
  const Eigen::Matrix3d linear = random_rotation(random) * stretch * random_rotation(random);
  return Transformation::affine(linear, random.direction() * 5.0);
}

TEST(PreAlign, reported_map_reproduces_the_points_in_every_mode) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n : {1, 2, 3, 5, 64, 997}) {
    const PointsOf<double> exact = test::gaussian_cloud(n, seed).array() + 20.0;
    const Points points = test::rounded(exact);
    for (PreAlignMode mode : kModes) {
      SCOPED_TRACE(std::string(to_string(mode)) + " of " + std::to_string(n));
      const PreAlignment aligned = pre_align(points, mode);
      const PointsOf<double> expected = mapped(points.cast<double>(), aligned);
      EXPECT_LT((expected - aligned.points.cast<double>()).cwiseAbs().maxCoeff(), 2e-5);
    }
  }
}

TEST(PreAlign, mean_distance_from_the_centroid_is_one_in_every_mode) {
  const Points points = test::rounded(test::scene_cloud(1001, 2));
  for (PreAlignMode mode : kModes) {
    SCOPED_TRACE(to_string(mode));
    const PointsOf<double> after = pre_align(points, mode).points.cast<double>();
    const Eigen::RowVector3d centre = after.colwise().mean();
    EXPECT_NEAR((after.rowwise() - centre).rowwise().norm().mean(), 1.0, 1e-6);
    const Eigen::RowVector3d expected = mode == PreAlignMode::none
                                            ? points.cast<double>().colwise().mean().eval()
                                            : Eigen::RowVector3d::Zero().eval();
    EXPECT_LT((centre - expected).norm(), 1e-6);
  }
}

TEST(PreAlign, plain_and_canonical_have_the_covariances_they_promise) {
  const PointsOf<double> points = test::scene_cloud(2000, 3);
  const PointsViewOf<double> view(points);
  const PreAlignment plain = pre_align(view, options_of(PreAlignMode::plain));
  Eigen::Matrix3d c = covariance(mapped(points, plain));
  EXPECT_LT((c / c(0, 0) - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-12);
  const PreAlignment canonical = pre_align(view, options_of(PreAlignMode::canonical));
  c = covariance(mapped(points, canonical));
  const Eigen::Vector3d squares(1.44, 1.21, 1.0);
  EXPECT_LT((c / c(2, 2) - Eigen::Matrix3d(squares.asDiagonal())).cwiseAbs().maxCoeff(), 1e-12);
}

// Coordinates that are independent of each other, mixed by any affine map: the axes must find them
// again, the heaviest tails first.
TEST(PreAlign, canonical_separates_independent_coordinates) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  constexpr int kCount = 40000;
  PointsOf<double> sources(kCount, 3);
  for (int i = 0; i < kCount; ++i) {
    const double flat = random.uniform(-1.0, 1.0);
    const double heavy = std::pow(random.normal(), 3);
    const double skewed = -std::log(1.0 - random.uniform());
    sources.row(i) << flat, heavy, skewed;
  }
  PreAlignOptions options = options_of(PreAlignMode::canonical);
  options.canonical_scale = Eigen::Vector3d::Ones();
  for (int t = 0; t < 20; ++t) {
    const PointsOf<double> mixed = draw_affine(random).apply(sources);
    const PointsOf<double> pose = mapped(mixed, pre_align(PointsViewOf<double>(mixed), options));
    const PointsOf<double> centred = sources.rowwise() - sources.colwise().mean();
    Eigen::Matrix3d correlation = centred.transpose() * pose / kCount;
    for (int k = 0; k < 3; ++k) {
      correlation.row(k) /= std::sqrt(centred.col(k).squaredNorm() / kCount);
      correlation.col(k) /= std::sqrt(pose.col(k).squaredNorm() / kCount);
    }
    EXPECT_GT(std::abs(correlation(1, 0)), 0.99) << "draw " << t;
    EXPECT_GT(correlation(2, 1), 0.99) << "draw " << t;
    EXPECT_GT(std::abs(correlation(0, 2)), 0.99) << "draw " << t;
  }
}

TEST(PreAlign, canonical_axes_are_in_order_of_their_fourth_moments) {
  const PointsOf<double> points = test::scene_cloud(2000, 3);
  PreAlignOptions options = options_of(PreAlignMode::canonical);
  options.canonical_scale = Eigen::Vector3d::Ones();
  const PointsOf<double> pose = mapped(points, pre_align(PointsViewOf<double>(points), options));
  const Eigen::RowVector3d fourth = pose.array().pow(4).colwise().sum();
  EXPECT_GT(fourth[0], fourth[1]);
  EXPECT_GT(fourth[1], fourth[2]);
}

TEST(PreAlign, metric_keeps_metres_heading_and_up_and_centres) {
  PointsOf<double> points = 7.0 * test::scene_cloud(300, 21);
  points.rowwise() += Eigen::RowVector3d(40.0, -20.0, 3.0);
  const PreAlignment posed =
      pre_align(PointsViewOf<double>(points), options_of(PreAlignMode::metric));
  EXPECT_TRUE(posed.linear.isIdentity(1e-12));
  const PointsOf<double> centred = points.rowwise() - points.colwise().mean();
  EXPECT_LT((mapped(points, posed) - centred).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((posed.points.cast<double>() - centred).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(PreAlign, upright_keeps_height_and_shape_and_forgets_the_heading) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const PointsOf<double> points = test::scene_cloud(700, 4);
  const PreAlignOptions options = options_of(PreAlignMode::upright);
  const PointsOf<double> before = mapped(points, pre_align(PointsViewOf<double>(points), options));
  const Eigen::Matrix3d c = covariance(before);
  EXPECT_GT(c(0, 0), c(1, 1));
  EXPECT_NEAR(c(0, 1), 0.0, 1e-12);
  const Eigen::VectorXd height = points.col(2).array() - points.col(2).mean();
  EXPECT_LT((before.col(2) / before.col(2).norm() - height / height.norm()).norm(), 1e-12);
  for (int t = 0; t < 100; ++t) {
    const Eigen::AngleAxisd turn(random.uniform(-3.2, 3.2), Eigen::Vector3d::UnitZ());
    const double scale = random.uniform(0.1, 10.0);
    PointsOf<double> moved = points * (scale * turn.toRotationMatrix());
    moved.rowwise() += Eigen::RowVector3d(random.normal(), random.normal(), random.normal());
    const PreAlignment aligned = pre_align(PointsViewOf<double>(moved), options);
    EXPECT_LT((mapped(moved, aligned) - before).cwiseAbs().maxCoeff(), 1e-9) << "draw " << t;
  }
}

TEST(PreAlign, iterative_scales_every_axis_to_the_same_mean_magnitude) {
  const PointsOf<double> points = test::scene_cloud(2000, 5);
  const PreAlignment aligned =
      pre_align(PointsViewOf<double>(points), options_of(PreAlignMode::iterative));
  const PointsOf<double> pose = mapped(points, aligned);
  const Eigen::RowVector3d magnitude = pose.cwiseAbs().colwise().mean();
  EXPECT_NEAR(magnitude[1] / magnitude[0], 1.0, 1e-12);
  EXPECT_NEAR(magnitude[2] / magnitude[0], 1.0, 1e-12);
  const Eigen::Vector3d deviations = covariance(pose).diagonal().cwiseSqrt();
  EXPECT_GE(deviations[0], deviations[1]);
  EXPECT_GE(deviations[1], deviations[2]);
}

TEST(PreAlign, axes_point_where_the_third_moment_is_positive) {
  const PointsOf<double> points = test::scene_cloud(1000, 7);
  for (PreAlignMode mode :
       {PreAlignMode::plain, PreAlignMode::iterative, PreAlignMode::canonical}) {
    const PointsOf<double> pose =
        mapped(points, pre_align(PointsViewOf<double>(points), options_of(mode)));
    EXPECT_GT(pose.array().cube().colwise().sum().minCoeff(), 0.0) << to_string(mode);
  }
}

TEST(PreAlign, plain_is_affine_invariant_up_to_rotation) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const PointsOf<double> points = test::scene_cloud(500, 11);
  const PointsOf<double> before =
      mapped(points, pre_align(PointsViewOf<double>(points), options_of(PreAlignMode::plain)));
  const std::vector<Triple> triples = draw_triples(500, 2000, 1);
  for (int t = 0; t < 200; ++t) {
    const PointsOf<double> moved = draw_affine(random).apply(points);
    const PreAlignment aligned =
        pre_align(PointsViewOf<double>(moved), options_of(PreAlignMode::plain));
    const PointsOf<double> after = mapped(moved, aligned);
    ASSERT_LT(expected_angle_difference(PointsViewOf<double>(before), PointsViewOf<double>(after),
                                        triples),
              1e-9)
        << "draw " << t;
  }
}

TEST(PreAlign, canonical_pose_is_the_same_after_affine_maps) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const PointsOf<double> points = test::scene_cloud(512, 12);
  const PreAlignOptions options = options_of(PreAlignMode::canonical);
  const PointsOf<double> before = mapped(points, pre_align(PointsViewOf<double>(points), options));
  for (int t = 0; t < 200; ++t) {
    const PointsOf<double> moved = draw_affine(random).apply(points);
    const PointsOf<double> after = mapped(moved, pre_align(PointsViewOf<double>(moved), options));
    ASSERT_LT((after - before).cwiseAbs().maxCoeff(), 1e-9) << "draw " << t;
  }
}

TEST(PreAlign, names_round_trip_and_unknown_names_are_refused) {
  for (PreAlignMode mode : kModes) EXPECT_EQ(from_string<PreAlignMode>(to_string(mode), ""), mode);
  EXPECT_THAT([] { from_string<PreAlignMode>("whiten", "mode"); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("'whiten'")));
}

}  // namespace
}  // namespace pointtree::geometry

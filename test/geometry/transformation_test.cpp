// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/transformation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"

namespace pointtree::geometry {
namespace {

using Kind = TransformationKind;
using Form = TransformationForm;

TEST(Transformation, applies_maps_in_the_order_they_are_chained) {
  const PointsOf<double> points = test::gaussian_cloud(10, 1);
  const Transformation shift = Transformation::affine(Eigen::Matrix3d::Identity(), {1.0, 2.0, 3.0});
  const Transformation stretch = Transformation::affine(Eigen::Vector3d(2, 3, 4).asDiagonal());
  const PointsOf<double> both = shift.then(stretch).apply(points);
  EXPECT_LT((both - stretch.apply(shift.apply(points))).norm(), 1e-12);
  EXPECT_GT((both - shift.apply(stretch.apply(points))).norm(), 1.0);
}

TEST(Transformation, projective_maps_keep_straight_lines_straight) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points cloud = test::rounded(test::scene_cloud(200, 1));
  for (Form form : {Form::authors, Form::paper}) {
    const Transformation t = TransformationSampler(Kind::projective, form).draw(cloud, random);
    for (int i = 0; i + 1 < 200; i += 2) {
      PointsOf<double> line(3, 3);
      line.row(0) = cloud.row(i).cast<double>();
      line.row(1) = cloud.row(i + 1).cast<double>();
      line.row(2) = 0.3 * line.row(0) + 0.7 * line.row(1);
      const PointsOf<double> image = t.apply(line);
      const Eigen::RowVector3d u = image.row(1) - image.row(0);
      const Eigen::RowVector3d v = image.row(2) - image.row(0);
      ASSERT_LT(u.cross(v).norm(), 1e-9 * (1.0 + u.norm() * v.norm()));
    }
  }
}

TEST(Transformation, projective_images_are_finite_and_fill_the_unit_ball) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points cloud = test::rounded(test::surface_cloud(500, 2));
  for (Form form : {Form::authors, Form::paper}) {
    for (int t = 0; t < 50; ++t) {
      const Transformation map = TransformationSampler(Kind::projective, form).draw(cloud, random);
      const Points image = map.apply(cloud);
      ASSERT_TRUE(image.allFinite());
      EXPECT_NEAR(image.rowwise().norm().maxCoeff(), 1.0, 1e-4);
      EXPECT_LT(image.colwise().mean().norm(), 1e-4);
    }
  }
}

TEST(Transformation, affine_entries_are_uniform_between_the_stated_bounds) {
  Random random(1);
  const Points cloud = Points::Random(4, 3);
  const double bound = 1.0 / std::sqrt(3.0);
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 5000;
  for (int t = 0; t < kDraws; ++t) {
    const Eigen::Matrix4d m = TransformationSampler(Kind::affine).draw(cloud, random).matrix();
    const Eigen::Matrix3d a = m.topLeftCorner<3, 3>();
    ASSERT_LE(a.cwiseAbs().maxCoeff(), bound);
    ASSERT_EQ(m.col(3), Eigen::Vector4d::UnitW());
    sum += a.sum();
    squares += a.squaredNorm();
  }
  EXPECT_NEAR(sum / (9 * kDraws), 0.0, 0.01);
  EXPECT_NEAR(squares / (9 * kDraws), bound * bound / 3.0, 0.002);
}

TEST(Transformation, similarities_keep_every_angle) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points cloud = test::rounded(test::scene_cloud(300, 3));
  const PointsOf<double> exact = cloud.cast<double>();
  const std::vector<Triple> triples = draw_triples(300, 1000, 1);
  for (int t = 0; t < 20; ++t) {
    const PointsOf<double> moved =
        TransformationSampler(Kind::similarity).draw(cloud, random).apply(exact);
    EXPECT_LT(expected_angle_difference(PointsViewOf<double>(exact), PointsViewOf<double>(moved),
                                        triples),
              1e-9);
  }
}

TEST(Transformation, aggressive_maps_bend_angles_more_than_ordinary_ones) {
  Random random(4);
  const Points cloud = test::rounded(test::surface_cloud(200, 4));
  const auto mean_difference = [&](Kind kind, Form form, int draws) {
    double sum = 0.0;
    for (int t = 0; t < draws; ++t) {
      const Points moved = TransformationSampler(kind, form).draw(cloud, random).apply(cloud);
      sum += expected_angle_difference(cloud, moved);
    }
    return sum / draws;
  };
  const double ordinary = mean_difference(Kind::affine, Form::authors, 50);
  EXPECT_GT(mean_difference(Kind::affine_aggressive, Form::authors, 3), 1.4 * ordinary);
  EXPECT_GT(mean_difference(Kind::affine_aggressive, Form::paper, 1), 1.4 * ordinary);
}

TEST(Transformation, draws_repeat_with_the_seed) {
  const Points cloud = test::rounded(test::surface_cloud(100, 5));
  for (Kind kind : {Kind::none, Kind::similarity, Kind::affine, Kind::projective}) {
    Random a(9);
    Random b(9);
    EXPECT_EQ(TransformationSampler(kind).draw(cloud, a).matrix(),
              TransformationSampler(kind).draw(cloud, b).matrix());
  }
}

TEST(Transformation, there_are_48_different_signed_permutations) {
  const auto& maps = signed_permutations();
  ASSERT_EQ(maps.size(), 48U);
  EXPECT_EQ(maps.front(), Eigen::Matrix3f::Identity());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    EXPECT_EQ(maps[i] * maps[i].transpose(), Eigen::Matrix3f::Identity());
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(maps[i], maps[j]);
  }
}

TEST(Transformation, names_round_trip_and_bad_input_is_refused) {
  for (Kind kind :
       {Kind::none, Kind::similarity, Kind::affine, Kind::affine_aggressive, Kind::projective}) {
    EXPECT_EQ(from_string<Kind>(to_string(kind), ""), kind);
  }
  for (Form form : {Form::authors, Form::paper}) {
    EXPECT_EQ(from_string<Form>(to_string(form), ""), form);
  }
  EXPECT_THAT([] { from_string<Kind>("shear", "kind"); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("'shear'")));
  EXPECT_THROW(from_string<Form>("mine", "form"), std::invalid_argument);
  Random random(1);
  const TransformationSampler sampler(Kind::affine);
  EXPECT_THROW(sampler.draw(Points(0, 3), random), std::invalid_argument);
  Points points = Points::Random(5, 3);
  points(1, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(sampler.draw(points, random), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/expected_angle_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/clouds.hpp"

namespace pointtree::geometry {
namespace {

TEST(ExpectedAngleDifference, triples_are_of_different_points_and_repeat_with_the_seed) {
  const std::vector<Triple> triples = draw_triples(5, 1000, 3);
  ASSERT_EQ(triples.size(), 1000U);
  for (const Triple& t : triples) {
    EXPECT_TRUE(t[0] != t[1] && t[0] != t[2] && t[1] != t[2]);
    for (std::int32_t i : t) EXPECT_TRUE(i >= 0 && i < 5);
  }
  EXPECT_EQ(draw_triples(5, 1000, 3), triples);
  EXPECT_NE(draw_triples(5, 1000, 4), triples);
  EXPECT_THROW(draw_triples(2, 1, 1), std::invalid_argument);
}

TEST(ExpectedAngleDifference, is_the_difference_of_the_angles_at_the_first_point) {
  PointsOf<double> before(3, 3);
  before << 0, 0, 0, 1, 0, 0, 0, 2, 0;  // a right angle
  PointsOf<double> after(3, 3);
  after << 5, 5, 5, 7, 5, 5, 6, 5, 6;  // half of one
  const double difference = expected_angle_difference(PointsViewOf<double>(before),
                                                      PointsViewOf<double>(after), {{0, 1, 2}});
  EXPECT_NEAR(difference, std::atan(1.0), 1e-15);
}

TEST(ExpectedAngleDifference, resolves_angles_near_zero) {
  // acos of a dot product would see nothing below 1e-8.
  PointsOf<double> before(3, 3);
  before << 0, 0, 0, 1, 0, 0, 1, 1e-11, 0;
  PointsOf<double> after = before;
  after(2, 1) = 3e-11;
  const double difference = expected_angle_difference(PointsViewOf<double>(before),
                                                      PointsViewOf<double>(after), {{0, 1, 2}});
  EXPECT_NEAR(difference, 2e-11, 1e-20);
}

TEST(ExpectedAngleDifference, coinciding_points_count_as_angle_zero) {
  const Points points = Points::Zero(4, 3);
  EXPECT_EQ(expected_angle_difference(points, points), 0.0);
}

TEST(ExpectedAngleDifference, refuses_clouds_of_different_size) {
  EXPECT_THROW(expected_angle_difference(Points::Zero(4, 3), Points::Zero(5, 3)),
               std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

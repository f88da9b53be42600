// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"

namespace pointtree::geometry {
namespace {

TEST(Resample, subsets_are_distinct_indices_of_the_wanted_number_and_repeat_with_the_seed) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points points = test::rounded(test::scene_cloud(700, seed));
  for (std::int32_t count : {1, 2, 512, 699}) {
    const std::vector<std::int32_t> chosen = resample(points, count, seed);
    const std::set<std::int32_t> distinct(chosen.begin(), chosen.end());
    EXPECT_EQ(chosen.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(distinct.size(), chosen.size());
    EXPECT_GE(*distinct.begin(), 0);
    EXPECT_LT(*distinct.rbegin(), 700);
    EXPECT_EQ(resample(points, count, seed), chosen);
  }
  EXPECT_NE(resample(points, 350, seed), resample(points, 350, seed + 1));
}

TEST(Resample, the_right_number_of_points_is_kept_as_it_is) {
  const Points points = Points::Random(5, 3);
  EXPECT_EQ(resample(points, 5, 1), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
}

TEST(Resample, few_points_fill_the_least_half_of_halves_that_holds_them_and_that_is_repeated) {
  EXPECT_EQ(rows_that_hold(100, 2048), 128);
  EXPECT_EQ(rows_that_hold(128, 2048), 128);
  EXPECT_EQ(rows_that_hold(1, 24), 3);
  EXPECT_EQ(rows_that_hold(3000, 2048), 2048);
  const Points points = Points::Random(100, 3);
  for (std::int32_t count : {101, 128, 200, 256, 2048}) {
    std::vector<int> times(100, 0);
    for (std::int32_t i : resample(points, count, 3)) ++times[static_cast<std::size_t>(i)];
    const std::int32_t rows = rows_that_hold(100, count);
    for (const int t : times) {
      EXPECT_EQ(t % (count / rows), 0);
      EXPECT_GE(t, count / rows);
      EXPECT_LE(t, 2 * (count / rows));
    }
  }
}

TEST(Resample, uniform_subsets_choose_all_points_alike) {
  const Points points = Points::Random(20, 3);
  std::vector<int> times(20, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (std::int32_t i : resample(points, 5, seed)) ++times[static_cast<std::size_t>(i)];
  }
  // 1,000 expected with a deviation of 27; five of these either way.
  for (int t : times) EXPECT_NEAR(t, 1000, 137);
}

TEST(Resample, refuses_empty_clouds_and_counts_below_one) {
  EXPECT_THROW(resample(Points(0, 3), 4, 1), std::invalid_argument);
  EXPECT_THROW(resample(Points::Zero(3, 3), 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

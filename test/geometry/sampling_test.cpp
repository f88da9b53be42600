#include "pointtree/geometry/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"

namespace pointtree::geometry {
namespace {

constexpr SamplingMethod kMethods[] = {SamplingMethod::uniform, SamplingMethod::farthest_point,
                                       SamplingMethod::voxel};

/// Largest distance from any point to its nearest chosen one.
float coverage(const Points& points, const std::vector<std::int32_t>& chosen) {
  float worst = 0.0F;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    for (std::int32_t c : chosen) {
      nearest = std::min(nearest, (points.row(i) - points.row(c)).squaredNorm());
    }
    worst = std::max(worst, nearest);
  }
  return std::sqrt(worst);
}

TEST(Resample, subsets_are_distinct_indices_of_the_wanted_number_and_repeat_with_the_seed) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points points = test::rounded(test::scene_cloud(700, seed));
  for (SamplingMethod method : kMethods) {
    for (std::int32_t count : {1, 2, 512, 699}) {
      const std::vector<std::int32_t> chosen = resample(points, count, seed, method);
      const std::set<std::int32_t> distinct(chosen.begin(), chosen.end());
      EXPECT_EQ(chosen.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(distinct.size(), chosen.size());
      EXPECT_GE(*distinct.begin(), 0);
      EXPECT_LT(*distinct.rbegin(), 700);
      EXPECT_EQ(resample(points, count, seed, method), chosen);
    }
    EXPECT_NE(resample(points, 350, seed, method), resample(points, 350, seed + 1, method));
  }
}

TEST(Resample, the_right_number_of_points_is_kept_as_it_is) {
  const Points points = Points::Random(5, 3);
  EXPECT_EQ(resample(points, 5, 1), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
}

TEST(Resample, repeats_are_even) {
  const Points points = Points::Random(100, 3);
  for (std::int32_t count : {101, 128, 200, 256, 2048}) {
    std::vector<int> times(100, 0);
    for (std::int32_t i : resample(points, count, 3)) ++times[static_cast<std::size_t>(i)];
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    EXPECT_EQ(*least, count / 100);
    EXPECT_EQ(*most, (count + 99) / 100);
  }
}

TEST(Resample, repeats_with_replacement_keep_every_point) {
  const Points points = Points::Random(100, 3);
  std::vector<int> times(100, 0);
  for (std::int32_t i :
       resample(points, 300, 3, SamplingMethod::uniform, RepeatMethod::with_replacement)) {
    ++times[static_cast<std::size_t>(i)];
  }
  EXPECT_GE(*std::min_element(times.begin(), times.end()), 1);
  EXPECT_GT(*std::max_element(times.begin(), times.end()), 3);
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

TEST(Resample, farthest_points_and_voxels_cover_an_uneven_cloud_better_than_chance) {
  const Points points = test::rounded(test::gaussian_cloud(3000, 2));
  const float chance = coverage(points, resample(points, 200, 1));
  EXPECT_LT(coverage(points, resample(points, 200, 1, SamplingMethod::farthest_point)),
            0.6F * chance);
  EXPECT_LT(coverage(points, resample(points, 200, 1, SamplingMethod::voxel)), 0.9F * chance);
}

TEST(Resample, farthest_points_are_each_the_farthest_from_those_before) {
  const Points points = test::rounded(test::scene_cloud(300, 4));
  const std::vector<std::int32_t> chosen = resample(points, 30, 9, SamplingMethod::farthest_point);
  const auto distance_to = [&](Eigen::Index i, std::size_t upto) {
    float nearest = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < upto; ++k) {
      nearest = std::min(nearest, (points.row(i) - points.row(chosen[k])).norm());
    }
    return nearest;
  };
  for (std::size_t k = 1; k < chosen.size(); ++k) {
    float farthest = 0.0F;
    for (Eigen::Index i = 0; i < 300; ++i) farthest = std::max(farthest, distance_to(i, k));
    EXPECT_NEAR(distance_to(chosen[k], k), farthest, 1e-5F);
  }
}

TEST(Resample, duplicates_do_not_stop_it) {
  Points points = Points::Zero(64, 3);
  points.row(7).setOnes();
  for (SamplingMethod method : kMethods) {
    const std::vector<std::int32_t> chosen = resample(points, 32, 1, method);
    EXPECT_EQ(std::set<std::int32_t>(chosen.begin(), chosen.end()).size(), 32U);
    if (method != SamplingMethod::uniform) {
      EXPECT_NE(std::find(chosen.begin(), chosen.end(), 7), chosen.end());
    }
  }
  EXPECT_EQ(resample(Points::Zero(9, 3), 4, 1, SamplingMethod::voxel).size(), 4U);
}

TEST(Resample, refuses_empty_clouds_and_counts_below_one) {
  EXPECT_THROW(resample(Points(0, 3), 4, 1), std::invalid_argument);
  EXPECT_THROW(resample(Points::Zero(3, 3), 0, 1), std::invalid_argument);
  Points points = Points::Random(9, 3);
  points(3, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(resample(points, 4, 1, SamplingMethod::voxel), std::invalid_argument);
  EXPECT_THROW(resample(points, 4, 1, SamplingMethod::farthest_point), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

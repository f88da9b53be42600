// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/tree/build_kernel.hpp"
#include "geometry/tree/workspace.hpp"

namespace pointtree::geometry::tree {
namespace {

struct Built {
  std::vector<std::int32_t> leaf_order;
  std::vector<PlaneRecord> planes;
  std::int32_t ties;
};

Built build_with(const Kernel& kernel, const PointsOf<double>& points, const Rules& rules) {
  const auto n = static_cast<std::size_t>(points.rows());
  Workspace workspace(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = points.row(static_cast<Eigen::Index>(i));
    workspace.points()[i] = {row.x(), row.y(), row.z(), static_cast<double>(i)};
  }
  Built built{std::vector<std::int32_t>(n), std::vector<PlaneRecord>(n - 1), 0};
  built.ties = kernel.build_subtree({workspace.points(), workspace.spare(), workspace.buckets(),
                                     built.leaf_order.data(), built.planes.data(), n, 1},
                                    rules);
  return built;
}

void expect_same_planes(const std::vector<PlaneRecord>& a, const std::vector<PlaneRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].offset, b[i].offset) << i;
    for (int c = 0; c < 3; ++c) ASSERT_EQ(a[i].normal[c], b[i].normal[c]) << i;
  }
}

/// A cloud in which every eighth point stands at the place of its neighbour.
PointsOf<double> with_copies(PointsOf<double> points) {
  for (Eigen::Index i = 0; i + 1 < points.rows(); i += 8) points.row(i) = points.row(i + 1);
  return points;
}

TEST(TreeKernel, every_instruction_set_gives_the_same_bits) {
#ifndef POINTTREE_AVX2_KERNEL
  GTEST_SKIP() << "only one kernel is built for this processor family";
#else
  if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "this processor has no AVX2";
  POINTTREE_PROPERTY_SEED(seed);
  Rules axis_aligned;
  axis_aligned.axis_aligned = true;
  Rules third_moment;
  third_moment.third_moment_sign = true;
  for (int n : {2, 4, 8, 16, 32, 64, 128, 1024, 8192}) {
    std::vector<test::NamedCloud> clouds = test::generic_clouds(n, seed);
    clouds.push_back({"copies", with_copies(clouds.front().points)});
    if (n == 64) clouds.push_back({"grid", test::grid_cloud(4)});
    for (const test::NamedCloud& cloud : clouds) {
      for (const Rules& rules : {Rules{}, axis_aligned, third_moment}) {
        SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
        const Built a = build_with(generic_kernel(), cloud.points, rules);
        const Built b = build_with(avx2_kernel(), cloud.points, rules);
        ASSERT_EQ(a.leaf_order, b.leaf_order);
        ASSERT_EQ(a.ties, b.ties);
        expect_same_planes(a.planes, b.planes);
      }
    }
  }
#endif
}

TEST(TreeKernel, nodes_of_four_with_their_pairs_are_split_as_level_by_level) {
  POINTTREE_PROPERTY_SEED(seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 100; ++repeat) {
    constexpr std::size_t kPoints = 4 * kGroup;
    std::vector<Entry> points(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      points[i] = {normal(random), normal(random), normal(random), static_cast<double>(i)};
    }
    std::vector<PlaneRecord> planes(kGroup), pair_planes(2 * kGroup);
    std::vector<std::int32_t> leaves(kPoints);
    ASSERT_TRUE(split_quads(points.data(), 0.0, planes.data(), pair_planes.data(), leaves.data()));

    std::vector<Entry> halves(kPoints);
    std::vector<PlaneRecord> level_planes(kGroup), level_pair_planes(2 * kGroup);
    std::vector<std::int32_t> level_leaves(kPoints);
    split_group({points.data(), halves.data(), kGroup, 4, nullptr, level_planes.data()}, Rules{});
    split_pairs(halves.data(), kPoints, false, level_pair_planes.data(), level_leaves.data());
    EXPECT_EQ(leaves, level_leaves);
    expect_same_planes(planes, level_planes);
    expect_same_planes(pair_planes, level_pair_planes);

    // A node whose points are in one place has no direction of its own.
    for (std::size_t i = 1; i < 4; ++i) points[8 + i].x = points[8].x;
    for (std::size_t i = 1; i < 4; ++i) points[8 + i].y = points[8].y;
    for (std::size_t i = 1; i < 4; ++i) points[8 + i].z = points[8].z;
    EXPECT_FALSE(split_quads(points.data(), 0.0, planes.data(), pair_planes.data(), leaves.data()));
  }
}

TEST(TreeKernel, middle_buckets_are_those_of_the_sorted_buckets) {
  POINTTREE_PROPERTY_SEED(seed);
  std::mt19937_64 random(seed);
  for (const std::size_t n : {32, 64, 128, 4096, 8192}) {
    for (const std::size_t distinct : {1, 2, 3, 17, 32}) {
      SCOPED_TRACE(std::to_string(n) + " points in " + std::to_string(distinct) + " buckets");
      const std::size_t buckets = std::min(n, kMaxBuckets);
      Workspace workspace(n);
      std::int8_t* bucket_of = workspace.buckets();
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t bucket = (random() % distinct) * (buckets / distinct);
        bucket_of[i] = static_cast<std::int8_t>(static_cast<int>(bucket) + kFirstBucket);
      }
      const MiddleBuckets middle = find_middle(bucket_of, n, buckets);
      std::vector<int> sorted(bucket_of, bucket_of + n);
      std::sort(sorted.begin(), sorted.end());
      const auto low = std::lower_bound(sorted.begin(), sorted.end(), sorted[n / 2 - 1]);
      const auto high = std::upper_bound(sorted.begin(), sorted.end(), sorted[n / 2]);
      EXPECT_EQ(middle.low, sorted[n / 2 - 1]);
      EXPECT_EQ(middle.high, sorted[n / 2]);
      EXPECT_EQ(middle.before, static_cast<std::size_t>(low - sorted.begin()));
      EXPECT_EQ(middle.after, static_cast<std::size_t>(sorted.end() - high));
    }
  }
}

}  // namespace
}  // namespace pointtree::geometry::tree

#include "pointtree/geometry/relaxed_kd_tree.hpp"

#include <gtest/gtest.h>

#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/sampling.hpp"

namespace pointtree::geometry {
namespace {

Points random_cloud(int n, std::uint64_t seed) {
  Random random(seed);
  Points points(n, 3);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c) points(i, c) = static_cast<float>(random.normal() * (3 - c));
  }
  return points;
}

TEST(RelaxedKdTree, every_build_point_finds_its_own_leaf) {
  const Points points = random_cloud(1024, 1);
  const RelaxedKdTree tree = build_tree(points);
  for (int leaf = 0; leaf < 1024; ++leaf) {
    const Eigen::Vector3d p = points.row(tree.leaf_order()[leaf]).cast<double>();
    EXPECT_EQ(tree.locate(p), leaf);
  }
}

TEST(PreAlign, map_reproduces_points_in_every_mode) {
  const Points points = random_cloud(500, 2);
  for (const char* name : {"none", "plain", "iterative", "canonical"}) {
    SCOPED_TRACE(name);
    const PreAlignment aligned = pre_align(points, pre_align_mode(name));
    const PointsOf<double> mapped =
        (points.cast<double>() * aligned.linear).rowwise() + aligned.translation;
    EXPECT_LT((mapped - aligned.points.cast<double>()).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(Resample, repeats_are_even) {
  const Points points = random_cloud(100, 3);
  for (int i : resample(points, 250, 7)) ASSERT_LT(i, 100);
  EXPECT_EQ(resample(points, 64, 7, SamplingMethod::voxel).size(), 64U);
  EXPECT_EQ(resample(points, 64, 7, SamplingMethod::farthest_point).size(), 64U);
}

}  // namespace
}  // namespace pointtree::geometry

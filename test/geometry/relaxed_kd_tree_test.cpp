#include "pointtree/geometry/relaxed_kd_tree.hpp"

#include <gtest/gtest.h>

#include <set>

#include "geometry/clouds.hpp"
#include "geometry/tree_oracle.hpp"

namespace pointtree::geometry {
namespace {

using test::gaussian_cloud;
using test::rounded;
using test::violation;

TEST(RelaxedKdTree, every_split_obeys_its_definition) {
  for (int n = 2; n <= 8192; n *= 2) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      for (const test::NamedCloud& cloud : test::generic_clouds(n, seed)) {
        SCOPED_TRACE(cloud.name + " of " + std::to_string(n) + ", seed " + std::to_string(seed));
        EXPECT_EQ(violation(build_tree(PointsViewOf<double>(cloud.points)), cloud.points), "");
        const Points floats = rounded(cloud.points);
        EXPECT_EQ(violation(build_tree(PointsView(floats)), floats.cast<double>()), "");
      }
    }
  }
}

TEST(RelaxedKdTree, axis_aligned_splits_obey_their_definition) {
  for (int n = 2; n <= 2048; n *= 4) {
    for (const test::NamedCloud& cloud : test::generic_clouds(n, 7)) {
      SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
      const PointsViewOf<double> view(cloud.points);
      const RelaxedKdTree tree = build_tree(view, SplitRule::axis_aligned);
      EXPECT_EQ(violation(tree, cloud.points, SplitRule::axis_aligned), "");
    }
  }
}

TEST(RelaxedKdTree, every_build_point_finds_its_own_leaf) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const test::NamedCloud& cloud : test::generic_clouds(2048, seed)) {
      for (double offset : {0.0, 1e3, 1e6}) {
        SCOPED_TRACE(cloud.name + ", seed " + std::to_string(seed));
        const PointsOf<double> points = cloud.points.array() + offset;
        const RelaxedKdTree tree = build_tree(PointsViewOf<double>(points));
        for (int leaf = 0; leaf < 2048; ++leaf) {
          ASSERT_EQ(tree.locate(points.row(tree.leaf_order()[leaf]).transpose()), leaf);
        }
      }
    }
  }
}

}  // namespace
}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/relaxed_kd_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/tree_oracle.hpp"

namespace pointtree::geometry {
namespace {

using test::rounded;
using test::violation;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_same(const RelaxedKdTree& a, const RelaxedKdTree& b) {
  ASSERT_EQ(a.leaf_order(), b.leaf_order());
  ASSERT_EQ(a.planes().size(), b.planes().size());
  for (std::size_t i = 0; i < a.planes().size(); ++i) {
    ASSERT_EQ(a.planes()[i].normal, b.planes()[i].normal) << "plane " << i;
    ASSERT_EQ(a.planes()[i].offset, b.planes()[i].offset) << "plane " << i;
  }
  EXPECT_EQ(a.tied_nodes(), b.tied_nodes());
}

TEST(RelaxedKdTree, every_split_obeys_its_definition) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n = 2; n <= 4096; n *= 2) {
    for (const test::NamedCloud& cloud : test::generic_clouds(n, seed)) {
      SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
      EXPECT_EQ(violation(build_tree(PointsViewOf<double>(cloud.points)), cloud.points), "");
      const Points floats = rounded(cloud.points);
      EXPECT_EQ(violation(build_tree(PointsView(floats)), floats.cast<double>()), "");
    }
  }
}

TEST(RelaxedKdTree, axis_aligned_splits_obey_their_definition) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n = 2; n <= 2048; n *= 4) {
    for (const test::NamedCloud& cloud : test::generic_clouds(n, seed)) {
      SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
      const PointsViewOf<double> view(cloud.points);
      const RelaxedKdTree tree = build_tree(view, SplitRule::axis_aligned);
      EXPECT_EQ(violation(tree, cloud.points, SplitRule::axis_aligned), "");
    }
  }
}

TEST(RelaxedKdTree, every_build_point_finds_its_own_leaf) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const test::NamedCloud& cloud : test::generic_clouds(2048, seed)) {
    for (double offset : {0.0, 1e3, 1e6}) {
      SCOPED_TRACE(cloud.name);
      const PointsOf<double> points = cloud.points.array() + offset;
      const RelaxedKdTree tree = build_tree(PointsViewOf<double>(points));
      for (int leaf = 0; leaf < 2048; ++leaf) {
        ASSERT_EQ(tree.locate(points.row(tree.leaf_order()[leaf]).transpose()), leaf);
      }
    }
  }
}

TEST(RelaxedKdTree, is_the_same_on_any_number_of_threads) {
  const Points points = rounded(test::scene_cloud(32768, 5));
  const RelaxedKdTree alone = build_tree(PointsView(points));
  for (int threads : {0, 2, 3, 8}) {
    SCOPED_TRACE(threads);
    TreeOptions options;
    options.threads = threads;
    expect_same(build_tree(PointsView(points), options), alone);
  }
}

TEST(RelaxedKdTree, batches_give_the_trees_of_their_clouds) {
  std::vector<Points> clouds;
  for (int i = 0; i < 9; ++i) clouds.push_back(rounded(test::surface_cloud(64 << (i % 4), i)));
  const std::vector<PointsView> views(clouds.begin(), clouds.end());
  for (int threads : {0, 1, 2, 5}) {
    const std::vector<RelaxedKdTree> trees = build_trees(views, threads);
    ASSERT_EQ(trees.size(), clouds.size());
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      expect_same(trees[i], build_tree(PointsView(clouds[i])));
    }
  }
  EXPECT_TRUE(build_trees({}, 2).empty());
}

TEST(RelaxedKdTree, strided_views_give_the_same_tree) {
  const Points points = rounded(test::gaussian_cloud(256, 3));
  Eigen::Matrix<float, Eigen::Dynamic, 5, Eigen::RowMajor> wide(256, 5);
  wide.setConstant(std::numeric_limits<float>::quiet_NaN());
  wide.leftCols<3>() = points;
  const Eigen::Map<const Points, 0, Eigen::OuterStride<>> view(wide.data(), 256, 3,
                                                               Eigen::OuterStride<>(5));
  expect_same(build_tree(PointsView(view)), build_tree(PointsView(points)));
}

TEST(RelaxedKdTree, third_moment_sign_follows_a_turned_cloud) {
  const PointsOf<double> points = test::scene_cloud(1024, 4);
  TreeOptions options;
  options.sign = SignRule::third_moment;
  const RelaxedKdTree tree = build_tree(PointsViewOf<double>(points), options);
  EXPECT_EQ(violation(tree, points), "");
  const PointsOf<double> mirrored = -points;
  const RelaxedKdTree other = build_tree(PointsViewOf<double>(mirrored), options);
  // Pairs have no skewness, so order is defined down to nodes of more than two points.
  int swapped = 0;
  for (std::size_t i = 0; i < 511; ++i) {
    swapped += static_cast<int>(tree.planes()[i].normal.dot(other.planes()[i].normal) > 0.0);
  }
  EXPECT_EQ(swapped, 0) << "nodes whose normal did not turn with the points";
}

TEST(RelaxedKdTree, refuses_what_is_no_tree_naming_what_it_found) {
  const auto build = [](const Points& points) {
    return [points] { build_tree(PointsView(points)); };
  };
  EXPECT_THAT(build(Points(0, 3)), ThrowsMessage<std::invalid_argument>(HasSubstr("found 0")));
  EXPECT_THAT(build(Points::Zero(3, 3)),
              ThrowsMessage<std::invalid_argument>(HasSubstr("found 3")));
  for (float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Points points = Points::Random(8, 3);
    points(5, 2) = bad;
    EXPECT_THAT(build(points), ThrowsMessage<std::invalid_argument>(HasSubstr("finite")));
  }
  EXPECT_THROW(RelaxedKdTree({0, 1, 2}, std::vector<Plane>(2)), std::invalid_argument);
  EXPECT_THROW(RelaxedKdTree({0, 1}, std::vector<Plane>(2)), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

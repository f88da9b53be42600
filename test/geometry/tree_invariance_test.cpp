// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/tree_oracle.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using test::unordered_form;

constexpr int kTransforms = 1000;

/// Rotation or reflection and scale, then a shift of `offset` sizes of the image in a random
/// direction.
Transformation draw_similarity(double size, double offset, Random& random) {
  const double scale = std::exp2(random.uniform(-1.0, 1.0));
  const double sign = random.uniform() < 0.5 ? -1.0 : 1.0;
  const Eigen::Matrix3d linear = random_rotation(random) * (sign * scale);
  return Transformation::affine(linear, random.direction() * (offset * size * scale));
}

double size_of(const PointsOf<double>& points) {
  return (points.colwise().maxCoeff() - points.colwise().minCoeff()).maxCoeff();
}

TEST(TreeInvariance, tree_is_identical_under_similarity_in_double) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const test::NamedCloud& cloud : test::generic_clouds(1024, seed)) {
    SCOPED_TRACE(cloud.name);
    const auto form = unordered_form(build_tree(PointsViewOf<double>(cloud.points)));
    Random random(seed);
    for (int t = 0; t < kTransforms; ++t) {
      const double offset = std::pow(10.0, random.uniform(-2.0, 4.0));
      const PointsOf<double> moved =
          draw_similarity(size_of(cloud.points), offset, random).apply(cloud.points);
      ASSERT_EQ(unordered_form(build_tree(PointsViewOf<double>(moved))), form) << "draw " << t;
    }
  }
}

TEST(TreeInvariance, tree_is_identical_under_similarity_in_float_near_the_origin) {
  // Fixed clouds: what is asserted about rounded input is a measured fact, not a theorem.
  for (const test::NamedCloud& cloud : test::generic_clouds(1024, 1)) {
    SCOPED_TRACE(cloud.name);
    const Points points = test::rounded(cloud.points);
    const PointsOf<double> exact = points.cast<double>();
    const auto form = unordered_form(build_tree(PointsView(points)));
    Random random(1);
    for (int t = 0; t < kTransforms; ++t) {
      const double offset = random.uniform(0.0, 10.0);
      const Points moved = draw_similarity(size_of(exact), offset, random).apply(points);
      ASSERT_EQ(unordered_form(build_tree(PointsView(moved))), form) << "draw " << t;
    }
  }
}

TEST(TreeInvariance, unordered_form_ignores_only_the_order_of_children) {
  const std::vector<Plane> planes(7);
  const RelaxedKdTree tree({0, 1, 2, 3, 4, 5, 6, 7}, planes);
  EXPECT_EQ(unordered_form(tree), unordered_form(RelaxedKdTree({7, 6, 4, 5, 1, 0, 2, 3}, planes)));
  EXPECT_NE(unordered_form(tree), unordered_form(RelaxedKdTree({0, 2, 1, 3, 4, 5, 6, 7}, planes)));
}

}  // namespace
}  // namespace pointtree::geometry

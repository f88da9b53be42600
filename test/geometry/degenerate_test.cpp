// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/clouds.hpp"
#include "geometry/tree_oracle.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/geometry/sampling.hpp"

namespace pointtree::geometry {
namespace {

using test::violation;

RelaxedKdTree build(const PointsOf<double>& points) {
  return build_tree(PointsViewOf<double>(points));
}

constexpr PreAlignMode kModes[] = {PreAlignMode::none, PreAlignMode::plain, PreAlignMode::iterative,
                                   PreAlignMode::canonical, PreAlignMode::upright};

TEST(Degenerate, one_point_is_a_tree_without_planes) {
  const RelaxedKdTree tree = build(PointsOf<double>::Constant(1, 3, 7.0));
  EXPECT_EQ(tree.depth(), 0);
  EXPECT_EQ(tree.leaf_order(), std::vector<std::int32_t>{0});
  EXPECT_TRUE(tree.planes().empty());
  EXPECT_EQ(tree.locate({1.0, 2.0, 3.0}), 0);
}

TEST(Degenerate, two_points_are_split_along_their_line) {
  PointsOf<double> points(2, 3);
  points << 1, 1, 1, 4, 5, 1;
  const RelaxedKdTree tree = build(points);
  EXPECT_LT((tree.planes()[0].normal - Eigen::Vector3d(0.6, 0.8, 0.0)).norm(), 1e-15);
  EXPECT_EQ(tree.leaf_order(), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(tree.locate({1.1, 1.0, 1.0}), 0);
  EXPECT_EQ(tree.locate({4.0, 4.9, 1.0}), 1);
}

TEST(Degenerate, equal_points_keep_the_order_of_their_indices) {
  for (double place : {0.0, 0.1, 1e6 / 3.0}) {
    for (int n : {2, 4, 64, 2048}) {
      const RelaxedKdTree tree = build(PointsOf<double>::Constant(n, 3, place));
      std::vector<std::int32_t> expected(static_cast<std::size_t>(n));
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(tree.leaf_order(), expected);
      EXPECT_EQ(tree.tied_nodes(), n - 1 - n / 2) << "every node of more than two points is a tie";
      for (const Plane& plane : tree.planes()) EXPECT_EQ(plane.normal, Eigen::Vector3d::UnitX());
    }
  }
}

TEST(Degenerate, duplicates_share_a_subtree_in_order_of_index) {
  const PointsOf<double> single = test::gaussian_cloud(256, 9);
  PointsOf<double> points(1024, 3);
  for (int i = 0; i < 1024; ++i) points.row(i) = single.row(i % 256);
  const RelaxedKdTree tree = build(points);
  EXPECT_EQ(violation(tree, points), "");
  int together = 0;
  for (std::size_t leaf = 0; leaf < 1024; leaf += 4) {
    const std::int32_t* four = tree.leaf_order().data() + leaf;
    together += static_cast<int>(four[1] == four[0] + 256 && four[2] == four[0] + 512 &&
                                 four[3] == four[0] + 768);
  }
  EXPECT_EQ(together, 256);
}

TEST(Degenerate, collinear_points_are_sorted_along_their_line) {
  Random random(3);
  PointsOf<double> points(512, 3);
  std::vector<double> along(512);
  const Eigen::RowVector3d direction = Eigen::RowVector3d(2.0, -1.0, 0.5).normalized();
  for (int i = 0; i < 512; ++i) points.row(i) = direction * (along[i] = random.uniform(-1.0, 1.0));
  const RelaxedKdTree tree = build(points);
  // Down to pairs, every node's direction is the line's (up to sign, which the rule makes that of
  // x).
  for (std::size_t leaf = 1; leaf < 512; ++leaf) {
    EXPECT_LT(along[tree.leaf_order()[leaf - 1]], along[tree.leaf_order()[leaf]]);
  }
}

TEST(Degenerate, planar_points_obey_the_definition_and_split_within_their_plane) {
  PointsOf<double> points = test::scene_cloud(1024, 6);
  points.col(2).setConstant(0.25);
  const RelaxedKdTree tree = build(points);
  EXPECT_EQ(violation(tree, points), "");
  for (const Plane& plane : tree.planes()) EXPECT_EQ(plane.normal.z(), 0.0);
}

TEST(Degenerate, regular_grid_settles_its_ties_and_counts_them) {
  const PointsOf<double> grid = test::grid_cloud(8);
  const RelaxedKdTree tree = build(grid);
  EXPECT_EQ(violation(tree, grid), "");
  EXPECT_GT(tree.tied_nodes(), 0);
  // A cube without skewness falls back on the first coordinate axis.
  EXPECT_LT((tree.planes()[0].normal - Eigen::Vector3d::UnitX()).norm(), 1e-12);
}

TEST(Degenerate, a_tie_is_settled_by_skewness_where_there_is_some) {
  // Three equal eigenvalues, but more weight far out along (1, 1, 1).
  PointsOf<double> points(8, 3);
  points << 3, 3, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, -2, 0, -2, 2, 0, 1.1547, 1.1547,
      -2.3094, -1.1547, -1.1547, 2.3094;
  const PointsOf<double> centred = points.rowwise() - points.colwise().mean();
  Eigen::Matrix3d covariance = centred.transpose() * centred;
  // Whiten exactly, so that nothing but the third moments tells directions apart.
  const PointsOf<double> white =
      centred * covariance.llt().matrixL().transpose().solve(Eigen::Matrix3d::Identity());
  const RelaxedKdTree tree = build(white);
  EXPECT_GE(tree.tied_nodes(), 1);
  const Eigen::RowVector3d skew =
      (white.array().colwise() * white.rowwise().squaredNorm().array()).colwise().sum();
  EXPECT_NEAR(std::abs(skew.normalized().dot(tree.planes()[0].normal)), 1.0, 1e-9);
}

TEST(Degenerate, offsets_of_a_million_leave_the_tree_of_representable_points) {
  // Multiples of 1/8 stay exact at 10^6 even in float, so the tree must not change at all.
  Random random(2);
  Points points(2048, 3);
  for (int i = 0; i < 2048; ++i) {
    for (int c = 0; c < 3; ++c) points(i, c) = static_cast<float>(random.below(4096)) / 8.0F;
  }
  const Points moved = points.array() + 1e6F;
  EXPECT_EQ(build_tree(PointsView(moved)).leaf_order(),
            build_tree(PointsView(points)).leaf_order());
}

TEST(Degenerate, fewer_points_than_leaves_become_repeats_that_stay_together) {
  const Points points = test::rounded(test::gaussian_cloud(100, 4));
  const std::vector<std::int32_t> chosen = resample(points, 256, 1);
  Points repeated(256, 3);
  for (int i = 0; i < 256; ++i) repeated.row(i) = points.row(chosen[i]);
  const RelaxedKdTree tree = build_tree(PointsView(repeated));
  EXPECT_EQ(violation(tree, repeated.cast<double>()), "");
}

TEST(Degenerate, pre_alignment_of_nothing_is_nothing) {
  for (PreAlignMode mode : kModes) {
    const PreAlignment aligned = pre_align(Points(0, 3), mode);
    EXPECT_EQ(aligned.points.rows(), 0);
    EXPECT_EQ(aligned.rank, 0);
  }
}

TEST(Degenerate, pre_alignment_of_one_place_has_rank_zero) {
  for (PreAlignMode mode : kModes) {
    const PreAlignment aligned = pre_align(Points::Constant(5, 3, 1e5F / 3), mode);
    EXPECT_EQ(aligned.rank, 0) << to_string(mode);
    EXPECT_TRUE(aligned.points.allFinite());
    if (mode != PreAlignMode::none) {
      EXPECT_EQ(aligned.points.cwiseAbs().maxCoeff(), 0.0F);
    }
  }
}

TEST(Degenerate, pre_alignment_reports_rank_and_leaves_missing_axes_zero) {
  Random random(8);
  for (int rank = 1; rank <= 2; ++rank) {
    Points points = test::rounded(test::gaussian_cloud(500, 8));
    // A generic plane or line: rounding to float gives it a thickness that is not shape.
    Eigen::Matrix3f map = Eigen::Matrix3f::Random();
    map.row(2).setZero();
    if (rank == 1) map.row(1).setZero();
    points = (points * map).eval();
    points.array() += 3.0F;
    for (PreAlignMode mode : kModes) {
      if (mode == PreAlignMode::none) continue;
      if (mode == PreAlignMode::upright) continue;  // keeps the proportions, so none is missing
      SCOPED_TRACE(to_string(mode));
      const PreAlignment aligned = pre_align(points, mode);
      EXPECT_EQ(aligned.rank, rank);
      EXPECT_EQ(aligned.points.rightCols(3 - rank).cwiseAbs().maxCoeff(), 0.0F);
    }
  }
}

TEST(Degenerate, pre_alignment_flags_poses_that_are_not_unique) {
  EXPECT_TRUE(pre_align(test::rounded(test::grid_cloud(6)), PreAlignMode::plain).tied);
  EXPECT_TRUE(pre_align(test::rounded(test::grid_cloud(6)), PreAlignMode::canonical).tied);
  EXPECT_FALSE(pre_align(test::rounded(test::scene_cloud(500, 1)), PreAlignMode::canonical).tied);
}

TEST(Degenerate, the_order_of_repeated_points_changes_no_pose_that_is_not_flagged) {
  Random random(9);
  int unique = 0;
  for (const auto& repeats : std::vector<std::vector<int>>{
           {2, 2, 2, 1}, {4, 1, 1, 1}, {3, 2, 1, 1}, {4, 3, 2, 1}, {1, 1, 1, 1}, {3, 2, 2, 1, 1}}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Eigen::RowVector3f> rows;
      for (const int count : repeats) {
        rows.insert(rows.end(), static_cast<std::size_t>(count), Eigen::RowVector3f::Random());
      }
      std::vector<std::size_t> order(rows.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto pose = [&] {
        Points points(static_cast<Eigen::Index>(rows.size()), 3);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          points.row(static_cast<Eigen::Index>(i)) = rows[order[i]];
        }
        return pre_align(points, PreAlignMode::canonical);
      };
      const PreAlignment first = pose();
      const bool three_alike = repeats[0] == repeats[2] || repeats[1] == repeats[3];
      EXPECT_TRUE(first.tied || !three_alike);
      for (std::size_t i = order.size() - 1; i > 0; --i) {
        std::swap(order[i], order[static_cast<std::size_t>(random.below(i + 1))]);
      }
      const PreAlignment second = pose();
      EXPECT_EQ(first.tied, second.tied);
      if (first.tied) continue;
      ++unique;
      EXPECT_LT((first.linear - second.linear).norm(), 1e-4 * first.linear.norm());
    }
  }
  EXPECT_GT(unique, 20) << "next to all were flagged";
}

TEST(Degenerate, pre_alignment_refuses_non_finite_points) {
  Points points = Points::Random(9, 3);
  points(4, 1) = std::numeric_limits<float>::infinity();
  for (PreAlignMode mode : kModes) EXPECT_THROW(pre_align(points, mode), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::geometry

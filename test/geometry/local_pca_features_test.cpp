// SPDX-License-Identifier: Apache-2.0
#include "geometry/local_pca_features.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, kLocalPcaChannels, Eigen::RowMajor>;

constexpr int kPerReach = 11;

Rows features_of(const Points& leaves) {
  Rows rows(leaves.rows(), kLocalPcaChannels);
  write_local_pca_features(leaves, rows.data(), rows.outerStride());
  return rows;
}

/// A neighbourhood by its definition: weights of all points, then Eigen.
struct Neighbourhood {
  double weight;
  Eigen::Vector3d offset;  ///< of the point from the neighbourhood's centroid, in reaches
  Eigen::Vector3d values;  ///< of the covariance, increasing
  Eigen::Matrix3d axes;

  Neighbourhood(const PointsOf<double>& places, Eigen::Index row, double reach) {
    const PointsOf<double> offsets = (places.rowwise() - places.row(row)) / reach;
    const Eigen::ArrayXd inside = (1.0 - offsets.rowwise().squaredNorm().array()).max(0.0);
    const Eigen::VectorXd weights = inside.square();
    weight = weights.sum();
    const Eigen::RowVector3d mean = weights.transpose() * offsets / weight;
    const PointsOf<double> about = offsets.rowwise() - mean;
    const Eigen::Matrix3d covariance = about.transpose() * weights.asDiagonal() * about / weight;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    offset = -mean.transpose();
    values = solver.eigenvalues().cwiseMax(0.0);
    axes = solver.eigenvectors();
  }

  /// Axes are certain where values differ.
  double gap() const { return std::min(values[1] - values[0], values[2] - values[1]); }
};

PointsOf<double> in_radii(const Points& leaves) {
  PointsOf<double> places = leaves.cast<double>();
  places.rowwise() -= places.colwise().mean().eval();
  return places / std::sqrt(places.rowwise().squaredNorm().mean());
}

TEST(LocalPcaFeatures, agree_with_sums_over_all_points) {
  POINTTREE_PROPERTY_SEED(seed);
  int certain = 0;
  for (const int count : {1000, 40}) {  // neither fills whole groups
    const Points leaves = test::rounded(test::scene_cloud(count, static_cast<unsigned>(seed)));
    const Rows rows = features_of(leaves);
    const PointsOf<double> places = in_radii(leaves);
    for (int row = 0; row < count; ++row) {
      for (const int k : {0, 1}) {
        const double reach = k == 0 ? 0.25 : 0.5;
        const Neighbourhood expected(places, row, reach);
        const Eigen::Matrix<double, 1, kPerReach> found =
            rows.row(row).segment<kPerReach>(k * kPerReach).cast<double>();
        EXPECT_NEAR(found[10], std::sqrt(expected.weight / count) / reach, 1e-4);
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(found[i] * found[i], expected.values[2 - i], 1e-5);
        }
        if (expected.gap() < 1e-3) continue;
        ++certain;
        Eigen::Vector3d normal = expected.axes.col(0);
        if (places.row(row).dot(normal) < 0.0) normal = -normal;
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[6 + i], std::abs(normal[i]), 1e-3);
        EXPECT_NEAR(found[3], std::abs(expected.axes.col(2).dot(expected.offset)), 1e-3);
        EXPECT_NEAR(found[4], std::abs(expected.axes.col(1).dot(expected.offset)), 1e-3);
        EXPECT_NEAR(found[9], places.row(row).dot(normal), 1e-3);
        if (found[9] < 1e-3) continue;  // which side is outside is uncertain
        EXPECT_NEAR(found[5], normal.dot(expected.offset), 1e-3);
      }
    }
  }
  EXPECT_GT(certain, 500);
}

TEST(LocalPcaFeatures, know_ridges_from_grooves) {
  // Two planes at right angles, seen from a centroid that far more points hold in place below or
  // above the edge where they meet.
  constexpr int kPlane = 512, kWeight = 2048;
  Random random(1);
  for (const double centre : {-1.0, 1.0}) {
    PointsOf<double> cloud(kPlane + kWeight, 3);
    for (int i = 0; i < kPlane; ++i) {
      const double x = i == 0 ? 0.0 : random.uniform(-0.7, 0.7);
      cloud.row(i) << x, i == 0 ? 0.0 : random.uniform(-0.7, 0.7), -std::abs(x);
    }
    for (int i = kPlane; i < kPlane + kWeight; ++i) {
      cloud.row(i) << random.normal(), random.normal(), 2.0 * centre + 0.1 * random.normal();
    }
    const Rows rows = features_of(test::rounded(cloud));
    EXPECT_GT(-centre * static_cast<double>(rows(0, 5)), 0.05) << "centroid at " << centre;
  }
}

TEST(LocalPcaFeatures, rotation_and_scale_change_nothing_but_the_normals) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(256, static_cast<unsigned>(seed)));
  Random random(seed);
  const Eigen::Matrix3d map = 3.0 * random_rotation(random);
  const Rows rows = features_of(leaves);
  const Rows turned = features_of(Transformation::affine(map).apply(leaves));
  for (const int column : {0, 1, 2, 10, 11, 12, 13, 21}) {
    EXPECT_LT((rows.col(column) - turned.col(column)).cwiseAbs().maxCoeff(), 2e-3F)
        << "column " << column;
  }
}

TEST(LocalPcaFeatures, do_not_depend_on_the_order_of_points) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points points = test::rounded(test::scene_cloud(256, static_cast<unsigned>(seed)));
  const auto order = build_tree(PointsView(points)).leaf_order();
  const Rows before = features_of(points);
  const Rows after = features_of(points(order, Eigen::all));
  for (const int column : {0, 1, 10, 11, 12, 21}) {
    for (std::size_t leaf = 0; leaf < order.size(); ++leaf) {
      EXPECT_NEAR(after(static_cast<Eigen::Index>(leaf), column), before(order[leaf], column),
                  1e-4F);
    }
  }
}

TEST(LocalPcaFeatures, equal_points_have_no_extent_and_finite_numbers) {
  const Rows rows = features_of(Points::Constant(64, 3, 2.5F));
  EXPECT_TRUE(rows.allFinite());
  EXPECT_EQ(rows.leftCols(6).cwiseAbs().maxCoeff(), 0.0F);
}

}  // namespace
}  // namespace pointtree::geometry

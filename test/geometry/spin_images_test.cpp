// SPDX-License-Identifier: Apache-2.0
#include "geometry/spin_images.hpp"

#include <gtest/gtest.h>

#include "geometry/clouds.hpp"
#include "geometry/local_pca_features.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kHeights = 5, kDistances = 3, kPixels = kHeights * kDistances;

Rows features_of(const Points& leaves, const Points& normals) {
  Rows rows(leaves.rows(), kSpinImageChannels);
  write_spin_images(leaves, normals, rows.data(), rows.outerStride());
  return rows;
}

Points random_directions(Eigen::Index count, Random& random) {
  Points normals(count, 3);
  for (Eigen::Index row = 0; row < count; ++row) {
    const Eigen::RowVector3d direction(random.normal(), random.normal(), random.normal());
    normals.row(row) = direction.normalized().cast<float>();
  }
  return normals;
}

/// An image by its definition, point by point.
Eigen::VectorXd image_of(const PointsOf<double>& places, const Points& normals, Eigen::Index row,
                         double pixel, int merged) {
  Eigen::VectorXd image = Eigen::VectorXd::Zero(kPixels);
  int seen = 0;
  for (Eigen::Index other = 0; other < places.rows(); other += merged, ++seen) {
    const auto together =
        places.middleRows(other, std::min<Eigen::Index>(merged, places.rows() - other));
    const Eigen::Vector3d offset = (together.colwise().mean() - places.row(row)) / pixel;
    const Eigen::Vector3d normal = normals.row(row).cast<double>();
    const double height = offset.dot(normal);
    const double distance = (offset - height * normal).norm();
    for (int h = 0; h < kHeights; ++h) {
      for (int d = 0; d < kDistances; ++d) {
        image[h * kDistances + d] += std::max(0.0, 1.0 - std::abs(height - (h - 3))) *
                                     std::max(0.0, 1.0 - std::abs(distance - d));
      }
    }
  }
  return (image / seen).cwiseSqrt() / pixel;
}

TEST(SpinImages, agree_with_sums_over_all_points) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  constexpr double kPixelSides[] = {0.15, 0.35, 0.8};
  for (const int count : {1000, 37}) {  // neither fills whole groups
    const Points leaves = test::rounded(test::scene_cloud(count, static_cast<unsigned>(seed)));
    const Points normals = random_directions(count, random);
    const Rows rows = features_of(leaves, normals);
    PointsOf<double> places = leaves.cast<double>();
    places.rowwise() -= places.colwise().mean().eval();
    places /= std::sqrt(places.rowwise().squaredNorm().mean());
    for (int row = 0; row < count; row += 7) {
      for (int k = 0; k < 3; ++k) {
        const Eigen::VectorXd expected = image_of(places, normals, row, kPixelSides[k], 1 << k);
        const Eigen::VectorXd found =
            rows.row(row).segment<kPixels>(k * kPixels).transpose().cast<double>();
        EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 5e-3)
            << "row " << row << " image " << k;
      }
    }
  }
}

TEST(SpinImages, do_not_change_with_rotation_and_scale) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(256, static_cast<unsigned>(seed)));
  const Points normals = random_directions(leaves.rows(), random);
  const Eigen::Matrix3d rotation = random_rotation(random);
  const Points turned = Transformation::affine(2.0 * rotation).apply(leaves);
  const Points turned_normals = Transformation::affine(rotation).apply(normals);
  EXPECT_LT(
      (features_of(leaves, normals) - features_of(turned, turned_normals)).cwiseAbs().maxCoeff(),
      5e-3F);
}

TEST(SpinImages, of_equal_points_are_finite) {
  const Points normals = Eigen::RowVector3f(0, 0, 1).replicate(64, 1);
  EXPECT_TRUE(features_of(Points::Constant(64, 3, 2.5F), normals).allFinite());
}

TEST(WhitenedFeatures, does_not_change_with_affine_maps) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const Points leaves = test::in_leaf_order(test::scene_cloud(512, static_cast<unsigned>(seed)));
  const Eigen::Matrix3d stretch = Eigen::Vector3d(1.0, 0.4, 2.5).asDiagonal();
  const Eigen::Matrix3d map = random_rotation(random) * stretch * random_rotation(random);
  const Points mapped = Transformation::affine(map).apply(leaves);
  // Where axes or the outside are uncertain, rounding decides: not every point can stay the same.
  const auto share_unchanged = [&](bool whitened) {
    InputFeatures features;
    features.local_pca = true;
    features.spin_images = true;
    features.whitened = whitened;
    const auto with_features = [&](const Points& cloud) {
      Rows rows(cloud.rows(), features.channels(static_cast<int>(cloud.rows())));
      write_features(cloud, Eigen::Matrix3d::Identity(), features, rows.data(), rows.outerStride());
      return rows;
    };
    const Rows change = (with_features(mapped) - with_features(leaves)).cwiseAbs();
    const auto deviations = change.leftCols<3>().rowwise().maxCoeff().array();
    const auto images = change.rightCols<kSpinImageChannels>().rowwise().maxCoeff().array();
    return (deviations < 1e-2F && images < 1e-2F).cast<double>().mean();
  };
  EXPECT_GT(share_unchanged(true), 0.8);
  EXPECT_LT(share_unchanged(false), 0.1);
}

TEST(WhitenedFeatures, of_flat_and_of_equal_points_is_finite) {
  POINTTREE_PROPERTY_SEED(seed);
  Points flat = test::in_leaf_order(test::scene_cloud(64, static_cast<unsigned>(seed)));
  flat.col(1).setConstant(0.5F);
  const InputFeatures all{true, true, true, true, true};
  Rows rows(64, all.channels(64));
  for (const Points& cloud : {flat, Points(Points::Ones(64, 3))}) {
    write_features(cloud, Eigen::Matrix3d::Identity(), all, rows.data(), rows.outerStride());
    EXPECT_TRUE(rows.allFinite());
  }
}

}  // namespace
}  // namespace pointtree::geometry

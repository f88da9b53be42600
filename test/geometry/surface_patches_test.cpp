// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_patches.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/transformation.hpp"

namespace pointtree::geometry {
namespace {

using Numbers = Eigen::Matrix<float, kPatchChannels, 1>;

Numbers features_of(const std::vector<SurfacePatch>& patches) {
  Numbers numbers;
  write_surface_patches(patches, numbers.data());
  return numbers;
}

Eigen::Vector3f normal_of(const SurfacePatch& patch) {
  return Eigen::Map<const Eigen::Vector3f>(patch.normal);
}

/// A patch by its definition: all distances, sorted, then Eigen.
struct Expected {
  double density;
  Eigen::Vector3d values;  ///< of the neighbours' covariance, increasing
  Eigen::Vector3d normal;

  Expected(const PointsOf<double>& points, Eigen::Index row) {
    std::vector<std::pair<double, Eigen::Index>> distances;
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      distances.emplace_back((points.row(i) - points.row(row)).squaredNorm(), i);
    }
    std::sort(distances.begin(), distances.end());
    PointsOf<double> near(6, 3);
    density = 0.0;
    for (int k = 0; k < 6; ++k) {
      near.row(k) = points.row(distances[k].second);
      if (k > 0) density -= 2.0 / 5.0 * std::log(distances[k].first);
    }
    near.rowwise() -= near.colwise().mean().eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(near.transpose() * near / 6.0);
    values = solver.eigenvalues();
    normal = solver.eigenvectors().col(0);
  }
};

TEST(SurfacePatches, agree_with_sorted_distances) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const int count : {1000, 40, 6}) {  // none fills whole groups
    const Points leaves = test::rounded(test::scene_cloud(count, static_cast<unsigned>(seed)));
    const auto patches = surface_patches(leaves);
    ASSERT_EQ(patches.size(), static_cast<std::size_t>(count));
    for (Eigen::Index row = 0; row < count; ++row) {
      const SurfacePatch& found = patches[static_cast<std::size_t>(row)];
      const Expected expected(leaves.cast<double>(), row);
      EXPECT_NEAR(found.density, expected.density, 1e-3);
      const double flatness = 1.0 - expected.values[0] / expected.values[1];
      EXPECT_NEAR(found.weight, flatness * flatness, 1e-2);
      if (flatness < 0.1) continue;  // the normal is not certain
      EXPECT_NEAR(std::abs(normal_of(found).cast<double>().dot(expected.normal)), 1.0, 1e-3);
    }
  }
}

TEST(SurfacePatches, see_copies_of_a_point_once) {
  POINTTREE_PROPERTY_SEED(seed);
  const Points once = test::in_leaf_order(test::scene_cloud(64, static_cast<unsigned>(seed)));
  Points repeated(160, 3);
  for (Eigen::Index row = 0; row < 160; ++row) repeated.row(row) = once.row(row * 64 / 160);
  const auto expected = surface_patches(once);
  const auto found = surface_patches(repeated);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_EQ(features_of(found), features_of(expected));
}

TEST(SurfacePatches, need_six_different_points) {
  Points points = Points::Zero(64, 3);
  EXPECT_TRUE(surface_patches(points).empty());
  for (Eigen::Index row = 0; row < 5; ++row) points(row, row % 3) = 1.0F + static_cast<float>(row);
  EXPECT_EQ(surface_patches(points).size(), 6U);
  points.row(0).setZero();
  EXPECT_TRUE(surface_patches(points).empty());
  EXPECT_TRUE(surface_patches(Points(0, 3)).empty());
  EXPECT_TRUE(features_of({}).isZero(0.0F));
}

TEST(SurfacePatches, of_points_too_near_to_be_measured_have_no_weight) {
  Points points = Points::Zero(32, 3);
  for (Eigen::Index row = 0; row < 6; ++row) points(row, row % 3) = 1e-30F * (1.0F + row);
  EXPECT_TRUE(features_of(surface_patches(points)).isZero(0.0F));
}

TEST(SurfacePatches, of_a_line_have_no_weight_and_tell_nothing) {
  Points line = Points::Zero(64, 3);
  line.col(1).setLinSpaced(0.0F, 1.0F);
  EXPECT_TRUE(features_of(surface_patches(line)).isZero(0.0F));
}

TEST(SurfacePatches, moved_grow_as_their_areas_do) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  for (int draw = 0; draw < 100; ++draw) {
    const Eigen::Matrix3d map = Eigen::Matrix3d::NullaryExpr([&] { return random.normal(); });
    const Eigen::Vector3d one = random_rotation(random).col(0);
    const Eigen::Vector3d other = random_rotation(random).col(0);
    const Eigen::Vector3d normal = one.cross(other);
    const Eigen::Vector3d after = (map.transpose() * one).cross(map.transpose() * other);
    SurfacePatch patch;
    Eigen::Map<Eigen::Vector3f>(patch.normal) = normal.normalized().cast<float>();
    patch.density = 0.5F;
    const SurfacePatch found = moved({patch}, map).front();
    EXPECT_NEAR(std::abs(normal_of(found).cast<double>().dot(after.normalized())), 1.0, 1e-3);
    const double growth = after.norm() / normal.norm() / std::abs(map.determinant());
    EXPECT_NEAR(found.density, 0.5 - 2.0 * std::log(growth), 1e-2);
  }
}

TEST(SurfacePatches, moved_into_a_plane_are_none) {
  const auto patches = surface_patches(test::rounded(test::scene_cloud(64, 3)));
  EXPECT_TRUE(moved(patches, Eigen::Vector3d(1.0, 0.0, 1.0).asDiagonal()).empty());
}

/// Points drawn evenly from the surface of a box, which is then squeezed into a cube.
Points squeezed_box(const Eigen::Vector3d& sides, Random& random) {
  const Eigen::Vector3d areas(sides[1] * sides[2], sides[2] * sides[0], sides[0] * sides[1]);
  Points points(2048, 3);
  for (Eigen::Index row = 0; row < points.rows(); ++row) {
    const double drawn = random.uniform(0.0, areas.sum());
    const int axis = drawn < areas[0] ? 0 : drawn < areas[0] + areas[1] ? 1 : 2;
    for (int c = 0; c < 3; ++c) points(row, c) = static_cast<float>(random.uniform(-1.0, 1.0));
    points(row, axis) = random.below(2) == 0 ? -1.0F : 1.0F;
  }
  return points;
}

TEST(SurfacePatches, tell_the_sides_of_a_box_that_became_a_cube) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  constexpr int kBoxes = 20;  // the numbers of one box spread by a tenth
  const Eigen::Vector3d sides(1.0, 2.0, 0.5);
  Numbers found = Numbers::Zero();
  for (int box = 0; box < kBoxes; ++box) {
    found += features_of(surface_patches(squeezed_box(sides, random))) / float{kBoxes};
  }
  const Eigen::Vector3d expected = -2.0 * sides.array().log();
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k], expected[k], 0.4) << "axis " << k;  // drawn towards zero
    EXPECT_NEAR(found[3 + k], 0.0, 0.1) << "axes " << k << " and " << (k + 1) % 3;
  }
  const Eigen::Vector3d areas(sides[1] * sides[2], sides[2] * sides[0], sides[0] * sides[1]);
  EXPECT_LT((found.segment<3>(6).cast<double>() - areas / areas.sum()).cwiseAbs().maxCoeff(), 0.03);
}

TEST(SurfacePatches, of_a_pose_tell_the_same_after_any_affine_map) {
  POINTTREE_PROPERTY_SEED(seed);
  Random random(seed);
  const PointsOf<double> cloud = test::scene_cloud(512, static_cast<unsigned>(seed));
  const auto found = [](const PointsOf<double>& points) {
    return features_of(
        surface_patches(pre_align(test::rounded(points), PreAlignMode::canonical).points));
  };
  const Numbers before = found(cloud);
  Eigen::Matrix3d map = random_rotation(random);
  map.col(1) *= 3.0;
  EXPECT_LT((found(cloud * map) - before).cwiseAbs().maxCoeff(), 0.02F);
}

TEST(SurfacePatches, of_a_mirrored_cloud_are_the_mirrored_ones) {
  const Points cloud = test::rounded(test::scene_cloud(256, 5));
  Points mirrored = cloud;
  mirrored.col(1) *= -1.0F;
  Numbers expected = features_of(surface_patches(cloud));
  for (int matrix = 0; matrix < kPatchChannels; matrix += 6) {
    expected.segment<2>(matrix + 3) *= -1.0F;  // xy and yz
  }
  EXPECT_LT((features_of(surface_patches(mirrored)) - expected).cwiseAbs().maxCoeff(), 1e-3F);
}

}  // namespace
}  // namespace pointtree::geometry

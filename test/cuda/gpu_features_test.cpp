// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "cuda/gpu_memory.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/device_batch.hpp"
#include "geometry/cuda/features_kernel.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/write_features.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::geometry::cuda {
namespace {

using test::GpuArray;
using GpuFeatures = test::OnGpu;
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Clouds of so many points: scenes, and one whose points all lie in one place.
std::vector<Points> clouds_of(int points, std::uint64_t seed) {
  std::vector<Points> clouds;
  for (unsigned i = 0; i < 3; ++i) {
    clouds.push_back(geometry::test::rounded(
        geometry::test::scene_cloud(points, static_cast<unsigned>(seed) + i)));
  }
  clouds.emplace_back(Points::Ones(points, 3));
  return clouds;
}

/// Any maps, and last one that leaves nothing of a cloud.
std::vector<PoseRecord> poses_of(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<PoseRecord> poses(count);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    for (double& entry : poses[i].linear) entry = random.normal();
  }
  return poses;
}

Eigen::Matrix3d linear_of(const PoseRecord& pose) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.linear);
}

/// Local PCA features and spin images are summed in float32, in another order here than there: that
/// turns axes of equal deviations, and moves square roots of nearly 0. Compares roots by their
/// squares, and leaves out what depends on axes or sides that are not certain.
void leave_out_uncertain_axes(Rows& found, Rows& expected, const FeatureColumns& columns) {
  const auto spin_images = static_cast<Eigen::Index>(columns.spin_images);
  const auto pixels = static_cast<Eigen::Index>(columns.subtrees) - spin_images;
  for (Eigen::Index row = 0; row < expected.rows(); ++row) {
    bool certain_normal = true;  // of the first neighbourhood, about which spin images turn
    for (int k = detail::kNeighbourhoods - 1; k >= 0; --k) {
      const int column =
          static_cast<int>(columns.local_pca) + k * detail::kChannelsPerNeighbourhood;
      auto one = found.row(row).segment<detail::kChannelsPerNeighbourhood>(column);
      auto other = expected.row(row).segment<detail::kChannelsPerNeighbourhood>(column);
      one.head<3>() = one.head<3>().cwiseAbs2().eval();
      other.head<3>() = other.head<3>().cwiseAbs2().eval();
      const bool certain_axes = std::min(other[0] - other[1], other[1] - other[2]) >= 0.01F;
      const bool certain_side = other[9] >= 0.01F;
      if (!certain_axes) {
        one.segment<7>(3).setZero();
        other.segment<7>(3).setZero();
      }
      if (!certain_side) one[5] = other[5] = 0.0F;
      certain_normal = certain_axes && certain_side;
    }
    for (Rows* rows : {&found, &expected}) {
      auto images = rows->row(row).segment(spin_images, pixels);
      images = certain_normal ? images.cwiseAbs2().eval() : (0.0F * images).eval();
    }
  }
}

void expect_as_on_the_cpu(const std::vector<Points>& clouds, const InputFeatures& features,
                          std::uint64_t seed) {
  constexpr int kExtra = 2;  // a channel before and none behind
  const Eigen::Index points = clouds.front().rows();
  SCOPED_TRACE(points);
  const auto poses = poses_of(clouds.size(), seed);
  const int width = 3 + kExtra + features.channels(static_cast<int>(points));
  Rows expected = Rows::Constant(static_cast<Eigen::Index>(clouds.size()) * points, width, 7.0F);
  for (std::size_t b = 0; b < clouds.size(); ++b) {
    auto cloud = expected.middleRows(static_cast<Eigen::Index>(b) * points, points);
    cloud.leftCols<3>() = clouds[b];
  }
  const GpuArray<float> leaves(
      std::vector<float>(expected.data(), expected.data() + expected.size()));
  for (std::size_t b = 0; b < clouds.size(); ++b) {
    write_features(clouds[b], linear_of(poses[b]), features,
                   expected.row(static_cast<Eigen::Index>(b) * points).data() + 3 + kExtra, width);
  }
  const BatchShape shape{static_cast<std::uint32_t>(clouds.size()),
                         static_cast<std::uint32_t>(points)};
  const GpuArray<PoseRecord> poses_on_device(poses);
  const GpuArray<std::byte> scratch(features_scratch_bytes(shape, features));
  write_features(leaves.data(), shape, poses_on_device.data(), features,
                 static_cast<std::uint32_t>(width), 3 + kExtra, scratch.data(), nullptr);
  Rows found = Eigen::Map<const Rows>(leaves.values().data(), expected.rows(), width);
  if (features.local_pca) {
    leave_out_uncertain_axes(found, expected, FeatureColumns(features, 3 + kExtra, shape.points));
  }
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-4F);
}

void expect_as_on_the_cpu(const InputFeatures& features, std::uint64_t seed) {
  for (const int points : {4, 8, 16, 64, 256}) {
    expect_as_on_the_cpu(clouds_of(points, seed), features, seed);
  }
}

/// So many points that repeat the first few of a cloud in turn.
Points repeating(const Points& cloud, Eigen::Index different) {
  Points repeated = cloud;
  for (Eigen::Index row = different; row < cloud.rows(); ++row) {
    repeated.row(row) = cloud.row(row % different);
  }
  return repeated;
}

InputFeatures features_of(std::initializer_list<bool InputFeatures::*> what) {
  InputFeatures features;
  for (const auto part : what) features.*part = true;
  return features;
}

TEST_F(GpuFeatures, writes_the_multi_scale_features_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(features_of({&InputFeatures::multi_scale}), seed);
}

TEST_F(GpuFeatures, writes_the_local_pca_features_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(features_of({&InputFeatures::local_pca}), seed);
}

TEST_F(GpuFeatures, writes_the_spin_images_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(features_of({&InputFeatures::local_pca, &InputFeatures::spin_images}), seed);
}

TEST_F(GpuFeatures, writes_the_subtrees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(features_of({&InputFeatures::subtree_shapes}), seed);
}

TEST_F(GpuFeatures, writes_the_proportions_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(features_of({&InputFeatures::subtree_shapes, &InputFeatures::proportions}),
                       seed);
}

constexpr InputFeatures kPatches{false, false, false, true, false, true, true};

TEST_F(GpuFeatures, writes_the_patches_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu(kPatches, seed);
}

TEST_F(GpuFeatures, counts_copies_in_patches_once) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const int points : {8, 64, 256}) {
    std::vector<Points> clouds;
    for (const int different : {5, 6, 7, points / 2, 3 * points / 4}) {  // five are too few
      clouds.push_back(repeating(clouds_of(points, seed).front(), different));
    }
    expect_as_on_the_cpu(clouds, kPatches, seed);
  }
}

TEST_F(GpuFeatures, writes_everything_side_by_side) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu({true, true, true, true, false, true, true}, seed);
}

TEST_F(GpuFeatures, writes_everything_of_the_whitened_cloud) {
  POINTTREE_PROPERTY_SEED(seed);
  expect_as_on_the_cpu({true, true, true, true, true, true, true}, seed);
}

}  // namespace
}  // namespace pointtree::geometry::cuda

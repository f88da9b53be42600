// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "cuda/emulator.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/align_clouds.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry::cuda {
namespace {

using geometry::test::rounded;
using test::EmulatedBlock;
using test::Emulator;

constexpr PreAlignMode kModes[] = {PreAlignMode::none, PreAlignMode::plain, PreAlignMode::iterative,
                                   PreAlignMode::canonical, PreAlignMode::upright};

struct Result {
  std::vector<Points> points;
  std::vector<PoseRecord> records;
};

Result align(const std::vector<Points>& clouds, PreAlignMode mode, std::uint64_t seed) {
  const auto n = static_cast<std::uint32_t>(clouds.front().rows());
  const auto count = static_cast<std::uint32_t>(clouds.size());
  std::vector<float> points;
  for (const Points& cloud : clouds) {
    points.insert(points.end(), cloud.data(), cloud.data() + cloud.size());
  }
  Emulator device(seed);
  AlignRules rules;
  rules.mode = mode;
  const AlignClouds<EmulatedBlock> kernel{device.memory("points", points),
                                          device.memory<float>("aligned", points.size()),
                                          device.memory<PoseRecord>("records", count),
                                          rules,
                                          count,
                                          n};
  device.launch(kernel);
  Result result{{}, kernel.records.values()};
  for (std::uint32_t b = 0; b < count; ++b) {
    result.points.emplace_back(
        Eigen::Map<Points>(kernel.aligned.values().data() + std::size_t{b} * n * 3, n, 3));
  }
  return result;
}

void expect_pose_of_cpu(const Points& points, const PoseRecord& record, const Points& input,
                        PreAlignMode mode) {
  const PreAlignment expected = pre_align(PointsView(input), mode);
  EXPECT_EQ(record.rank, expected.rank);
  EXPECT_EQ(record.tied != 0, expected.tied);
  // Sums are taken in another order: points agree to one unit in the last place of a float.
  const float size = std::max(1.0F, expected.points.cwiseAbs().maxCoeff());
  EXPECT_LE((points - expected.points).cwiseAbs().maxCoeff(), 1.2e-7F * size);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> linear(record.linear);
  EXPECT_LE((linear - expected.linear).norm(), 1e-9 * expected.linear.norm());
  const Eigen::Map<const Eigen::RowVector3d> translation(record.translation);
  EXPECT_LE((translation - expected.translation).norm(),
            1e-9 * (1.0 + expected.translation.norm()));
}

TEST(CudaAlignEmulation, every_mode_gives_the_pose_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (PreAlignMode mode : kModes) {
    for (const int n : {16, 100, 256, 2048, 8192}) {
      SCOPED_TRACE(std::string(to_string(mode)) + " of " + std::to_string(n));
      std::vector<Points> clouds;
      for (const auto& cloud : geometry::test::generic_clouds(n, seed)) {
        clouds.push_back(rounded(cloud.points));
      }
      const Result result = align(clouds, mode, seed);
      for (std::size_t b = 0; b < clouds.size(); ++b) {
        SCOPED_TRACE(b);
        EXPECT_EQ(result.records[b].finite, 1);
        expect_pose_of_cpu(result.points[b], result.records[b], clouds[b], mode);
      }
    }
  }
}

TEST(CudaAlignEmulation, the_tree_after_alignment_is_that_of_the_cpu_for_all_but_few_clouds) {
  POINTTREE_PROPERTY_SEED(seed);
  constexpr int kClouds = 2000;
  for (PreAlignMode mode : kModes) {
    int same_points = 0;
    int same_trees = 0;
    for (int i = 0; i < kClouds; ++i) {
      const Points cloud =
          rounded(geometry::test::scene_cloud(256, seed + static_cast<std::uint64_t>(i)));
      const Points device = align({cloud}, mode, seed).points.front();
      const Points cpu = pre_align(PointsView(cloud), mode).points;
      same_points += static_cast<int>(device == cpu);
      same_trees += static_cast<int>(build_tree(PointsView(device)).leaf_order() ==
                                     build_tree(PointsView(cpu)).leaf_order());
    }
    // One in a thousand may differ.
    EXPECT_GE(same_trees, kClouds - kClouds / 1000) << to_string(mode);
    RecordProperty(std::string(to_string(mode)) + "_same_trees", same_trees);
    RecordProperty(std::string(to_string(mode)) + "_same_points", same_points);
  }
}

TEST(CudaAlignEmulation, flat_clouds_have_the_rank_and_the_pose_of_the_cpu) {
  const Points cloud = rounded(geometry::test::scene_cloud(300, 7));
  Points plane = cloud;
  plane.col(1) = plane.col(0) * 0.5F;
  Points line = plane;
  line.col(2) = line.col(0);
  const Points place = Points::Constant(300, 3, 7.25F);
  for (PreAlignMode mode : kModes) {
    SCOPED_TRACE(to_string(mode));
    const std::vector<Points> clouds{plane, line, place};
    const Result result = align(clouds, mode, 1);
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      SCOPED_TRACE(b);
      const PreAlignment expected = pre_align(PointsView(clouds[b]), mode);
      EXPECT_EQ(result.records[b].rank, expected.rank);
      EXPECT_TRUE(result.points[b].allFinite());
      EXPECT_LE((result.points[b] - expected.points).cwiseAbs().maxCoeff(), 1e-5F);
    }
  }
}

TEST(CudaAlignEmulation, a_cloud_that_is_not_finite_is_marked_and_comes_out_as_zeros) {
  const Points good = rounded(geometry::test::scene_cloud(64, 2));
  Points broken = good;
  broken(3, 2) = std::numeric_limits<float>::quiet_NaN();
  for (PreAlignMode mode : kModes) {
    const Result result = align({good, broken}, mode, 1);
    EXPECT_EQ(result.records[0].finite, 1);
    EXPECT_EQ(result.records[1].finite, 0);
    EXPECT_EQ(result.points[1], Points::Zero(64, 3));
  }
}

}  // namespace
}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cuda/gpu_memory.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/device_batch.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/random.hpp"

// The kernels of poses, trees and samples, on a GPU or on a simulated one (ptxsim).
namespace pointtree::geometry::cuda {
namespace {

using geometry::test::NamedCloud;
using geometry::test::rounded;
using test::GpuArray;
using test::joined;

using GpuTrees = test::OnGpu;
using GpuPoses = test::OnGpu;
using GpuSamples = test::OnGpu;

constexpr PreAlignMode kModes[] = {PreAlignMode::none, PreAlignMode::plain, PreAlignMode::iterative,
                                   PreAlignMode::canonical, PreAlignMode::upright};

BatchShape shape_of(const std::vector<Points>& clouds) {
  return {static_cast<std::uint32_t>(clouds.size()),
          static_cast<std::uint32_t>(clouds.front().rows())};
}

std::vector<Points> generic_clouds(int n, std::uint64_t seed) {
  std::vector<Points> clouds;
  for (const NamedCloud& cloud : geometry::test::generic_clouds(n, seed)) {
    clouds.push_back(rounded(cloud.points));
  }
  return clouds;
}

/// Clouds that break careless builders, all of n points.
std::vector<Points> degenerate_clouds(int n, std::uint64_t seed) {
  Random random(seed);
  const Points some = rounded(geometry::test::scene_cloud(n, seed));
  std::vector<Points> clouds(9, some);
  Points& line = clouds[0];
  for (int i = 0; i < n; ++i) {
    line.row(i) = static_cast<float>(random.uniform(-1, 1)) * Eigen::RowVector3f(2, -1, 0.5);
  }
  clouds[1].col(2).setConstant(0.25F);
  for (int i = 0; i < n; ++i) clouds[2].row(i) = some.row(i % std::max(1, n / 4));
  for (int i = 0; i < n; ++i) {  // lattice
    const int layer = i / 16;
    clouds[3].row(i) << i % 4, i / 4 % 4, 0.1F * static_cast<float>(layer);
  }
  clouds[4].bottomRows(n / 2) = -clouds[4].topRows(n / 2);
  clouds[5].array() += 1e6F;
  clouds[6].setConstant(0.1F);
  for (int i = 0; i < n; ++i) clouds[7].row(i).setConstant(random.below(2) == 0 ? 1.0F : 2.0F);
  clouds[8] *= 1e-30F;
  return clouds;
}

/// A batch of trees on the device.
struct Trees {
  explicit Trees(const std::vector<Points>& clouds, const TreeOptions& options = {})
      : shape(shape_of(clouds)),
        n(shape.points),
        centres(clouds.size() * 3),
        planes(clouds.size() * (n - 1) * 4),
        leaf_orders(clouds.size() * n),
        ties(clouds.size()),
        finite(clouds.size()) {
    const GpuArray<float> points(joined(clouds));
    const GpuArray<std::byte> scratch(tree_scratch_bytes(shape));
    build_trees(points.data(), shape, options,
                {centres.data(), planes.data(), leaf_orders.data(), ties.data(), finite.data()},
                scratch.data(), nullptr);
  }

  std::vector<std::int32_t> leaf_order(std::size_t cloud) const {
    const auto all = leaf_orders.values();
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(cloud * n);
    return {begin, begin + static_cast<std::ptrdiff_t>(n)};
  }

  BatchShape shape;
  std::size_t n;
  GpuArray<double> centres;
  GpuArray<double> planes;
  GpuArray<std::int32_t> leaf_orders;
  GpuArray<std::int32_t> ties;
  GpuArray<std::int32_t> finite;
};

void expect_trees_of_cpu(const std::vector<Points>& clouds, const TreeOptions& options = {}) {
  const Trees trees(clouds, options);
  const auto centres = trees.centres.values();
  const auto planes = trees.planes.values();
  const std::size_t numbers = (trees.n - 1) * 4;
  for (std::size_t b = 0; b < clouds.size(); ++b) {
    SCOPED_TRACE("cloud " + std::to_string(b) + " of " + std::to_string(trees.n) + " points");
    const RelaxedKdTree tree = build_tree(PointsView(clouds[b]), options);
    EXPECT_EQ(trees.finite.values()[b], 1);
    EXPECT_EQ(trees.ties.values()[b], tree.tied_nodes());
    EXPECT_EQ(trees.leaf_order(b), tree.leaf_order());
    EXPECT_EQ(std::memcmp(centres.data() + b * 3, tree.centre().data(), 3 * sizeof(double)), 0);
    EXPECT_EQ(
        std::memcmp(planes.data() + b * numbers, tree.planes().data(), numbers * sizeof(double)),
        0);
  }
}

TEST_F(GpuTrees, generic_clouds_of_every_size_get_the_trees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n = 2; n <= 2048; n *= 2) expect_trees_of_cpu(generic_clouds(n, seed));
}

TEST_F(GpuTrees, large_clouds_get_the_trees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n = 4096; n <= 65536; n *= 2) expect_trees_of_cpu(generic_clouds(n, seed));
}

TEST_F(GpuTrees, degenerate_clouds_get_the_trees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const int n : {4, 16, 64, 512}) expect_trees_of_cpu(degenerate_clouds(n, seed));
}

TEST_F(GpuTrees, every_rule_gives_the_tree_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const SplitRule rule : {SplitRule::relaxed, SplitRule::axis_aligned}) {
    for (const SignRule sign : {SignRule::largest_component, SignRule::third_moment}) {
      TreeOptions options;
      options.rule = rule;
      options.sign = sign;
      for (const int n : {2, 8, 128}) expect_trees_of_cpu(degenerate_clouds(n, seed), options);
      expect_trees_of_cpu(generic_clouds(1024, seed), options);
    }
  }
}

TEST_F(GpuTrees, a_cloud_that_is_not_finite_is_marked_and_leaves_the_others_alone) {
  const Points good = rounded(geometry::test::scene_cloud(64, 1));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Points broken = good;
    broken(17, 1) = bad;
    const Trees trees({good, broken, good});
    EXPECT_EQ(trees.finite.values(), (std::vector<std::int32_t>{1, 0, 1}));
    const std::vector<std::int32_t> expected = build_tree(PointsView(good)).leaf_order();
    EXPECT_EQ(trees.leaf_order(0), expected);
    EXPECT_EQ(trees.leaf_order(2), expected);
  }
}

TEST_F(GpuTrees, batches_that_kernels_can_not_count_are_refused) {
  const GpuArray<std::byte> scratch(64);
  const auto build = [&](const BatchShape& shape, std::ptrdiff_t offset) {
    build_trees(nullptr, shape, {}, {}, scratch.data() + offset, nullptr);
  };
  EXPECT_THROW(build({1, 6}, 0), std::invalid_argument);
  EXPECT_THROW(build({1, 1U << 17}, 0), std::invalid_argument);
  EXPECT_THROW(build({1U << 16, 1U << 16}, 0), std::invalid_argument);
  EXPECT_THROW(build({1, 8}, 16), std::invalid_argument) << "scratch memory is not aligned";
  EXPECT_NO_THROW(build({0, 8}, 0));
  RowGather gather;
  gather.clouds = gather.count = 1U << 15;
  gather.channels = 4;
  EXPECT_THROW(gather_rows(gather, nullptr), std::invalid_argument);
}

TEST_F(GpuTrees, an_earlier_error_is_not_blamed_on_a_kernel) {
  const std::vector<Points> clouds{rounded(geometry::test::scene_cloud(64, 1))};
  void* nothing = nullptr;
  ASSERT_EQ(cudaMalloc(&nothing, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  try {
    const Trees trees(clouds);
    FAIL() << "the error was passed over";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("before a kernel"), std::string::npos) << error.what();
  }
  expect_trees_of_cpu(clouds);
}

struct Poses {
  Poses(const std::vector<Points>& clouds, PreAlignMode mode) {
    const BatchShape shape = shape_of(clouds);
    const std::vector<float> input = joined(clouds);
    const GpuArray<float> source(input);
    const GpuArray<float> aligned(input.size());
    const GpuArray<PoseRecord> poses(clouds.size());
    PreAlignOptions options;
    options.mode = mode;
    pre_align(source.data(), shape, options, aligned.data(), poses.data(), nullptr);
    const auto values = aligned.values();
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      points.emplace_back(Eigen::Map<const Points>(values.data() + b * shape.points * 3,
                                                   static_cast<Eigen::Index>(shape.points), 3));
    }
    records = poses.values();
  }

  std::vector<Points> points;
  std::vector<PoseRecord> records;
};

TEST_F(GpuPoses, every_mode_gives_the_pose_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (PreAlignMode mode : kModes) {
    for (const int n : {16, 100, 256, 2048}) {
      const std::vector<Points> clouds = generic_clouds(n, seed);
      const Poses poses(clouds, mode);
      for (std::size_t b = 0; b < clouds.size(); ++b) {
        SCOPED_TRACE(std::string(to_string(mode)) + " of " + std::to_string(n) + ", cloud " +
                     std::to_string(b));
        const PreAlignment expected = pre_align(PointsView(clouds[b]), mode);
        const PoseRecord& record = poses.records[b];
        EXPECT_EQ(record.finite, 1);
        EXPECT_EQ(record.rank, expected.rank);
        EXPECT_EQ(record.tied != 0, expected.tied);
        // Sums are taken in another order: points agree to one unit in the last place of a float.
        const float size = std::max(1.0F, expected.points.cwiseAbs().maxCoeff());
        EXPECT_LE((poses.points[b] - expected.points).cwiseAbs().maxCoeff(), 1.2e-7F * size);
        const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> linear(record.linear);
        EXPECT_LE((linear - expected.linear).norm(), 1e-9 * expected.linear.norm());
        const Eigen::Map<const Eigen::RowVector3d> translation(record.translation);
        EXPECT_LE((translation - expected.translation).norm(),
                  1e-9 * (1.0 + expected.translation.norm()));
      }
    }
  }
}

TEST_F(GpuPoses, trees_after_alignment_are_those_of_the_cpu_for_all_but_few_clouds) {
  POINTTREE_PROPERTY_SEED(seed);
  std::vector<Points> clouds;
  for (std::uint64_t i = 0; i < 40; ++i) {
    clouds.push_back(rounded(geometry::test::scene_cloud(64, seed + i)));
  }
  for (PreAlignMode mode : kModes) {
    const Poses poses(clouds, mode);
    int same_trees = 0;
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      const Points cpu = pre_align(PointsView(clouds[b]), mode).points;
      same_trees += static_cast<int>(build_tree(PointsView(poses.points[b])).leaf_order() ==
                                     build_tree(PointsView(cpu)).leaf_order());
    }
    EXPECT_GE(same_trees, 39) << to_string(mode);
  }
}

TEST_F(GpuPoses, flat_clouds_have_the_rank_and_the_pose_of_the_cpu) {
  const Points cloud = rounded(geometry::test::scene_cloud(300, 7));
  Points plane = cloud;
  plane.col(1) = plane.col(0) * 0.5F;
  Points line = plane;
  line.col(2) = line.col(0);
  const std::vector<Points> clouds{plane, line, Points::Constant(300, 3, 7.25F)};
  for (PreAlignMode mode : kModes) {
    const Poses poses(clouds, mode);
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      SCOPED_TRACE(std::string(to_string(mode)) + ", cloud " + std::to_string(b));
      const PreAlignment expected = pre_align(PointsView(clouds[b]), mode);
      EXPECT_EQ(poses.records[b].rank, expected.rank);
      EXPECT_TRUE(poses.points[b].allFinite());
      EXPECT_LE((poses.points[b] - expected.points).cwiseAbs().maxCoeff(), 1e-5F);
    }
  }
}

TEST_F(GpuPoses, a_cloud_that_is_not_finite_is_marked_and_comes_out_as_zeros) {
  const Points good = rounded(geometry::test::scene_cloud(64, 2));
  Points broken = good;
  broken(3, 2) = std::numeric_limits<float>::quiet_NaN();
  for (PreAlignMode mode : kModes) {
    const Poses poses({good, broken}, mode);
    EXPECT_EQ(poses.records[0].finite, 1);
    EXPECT_EQ(poses.records[1].finite, 0);
    EXPECT_EQ(poses.points[1], Points::Zero(64, 3));
  }
}

TEST_F(GpuSamples, gathering_puts_chosen_rows_where_they_belong) {
  const std::vector<Points> clouds{rounded(geometry::test::scene_cloud(50, 1)),
                                   rounded(geometry::test::scene_cloud(7, 2))};
  const std::vector<float> rows = joined(clouds);
  const std::vector<std::int32_t> chosen{49, 0, 3, 6, 6, 1};
  const GpuArray<float> on_device(rows);
  const GpuArray<std::int32_t> first_rows(std::vector<std::int32_t>{0, 50});
  const GpuArray<std::int32_t> chosen_on_device(chosen);
  const GpuArray<float> gathered(std::vector<float>(30, -1.0F));
  gather_rows({on_device.data(), first_rows.data(), chosen_on_device.data(), gathered.data(), 2, 3,
               3, 5, 1},
              nullptr);
  const std::vector<float> found = gathered.values();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const float* row = found.data() + 5 * i;
    const std::size_t source = static_cast<std::size_t>(chosen[i]) + (i < 3 ? 0 : 50);
    EXPECT_EQ(row[0], -1.0F);
    EXPECT_EQ(row[4], -1.0F);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(row[1 + c], rows[3 * source + c]);
  }
}

}  // namespace
}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "cuda/gpu_memory.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/device_batch.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/sampling.hpp"

// The kernels on a real device. What they do is tested on the CPU; here only the compiler and the
// device can be at fault.
namespace pointtree::geometry::cuda {
namespace {

using geometry::test::rounded;
using test::GpuArray;

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test::obstacle();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  static std::vector<Points> clouds_of(int n, std::uint64_t seed) {
    std::vector<Points> clouds;
    for (const auto& cloud : geometry::test::generic_clouds(n, seed)) {
      clouds.push_back(rounded(cloud.points));
    }
    Points doubled = clouds[0];
    doubled.bottomRows(n / 2) = doubled.topRows(n / 2).eval();
    clouds.push_back(doubled);
    Points flat = clouds[1];
    flat.col(1).setConstant(0.5F);
    clouds.push_back(flat);
    return clouds;
  }

  static std::vector<float> joined(const std::vector<Points>& clouds) {
    std::vector<float> rows;
    for (const Points& cloud : clouds) {
      rows.insert(rows.end(), cloud.data(), cloud.data() + cloud.size());
    }
    return rows;
  }
};

TEST_F(Gpu, trees_are_those_of_the_cpu_bit_for_bit) {
  POINTTREE_PROPERTY_SEED(seed);
  for (std::size_t n = 2; n <= 8192; n *= 2) {
    SCOPED_TRACE(n);
    const std::vector<Points> clouds = clouds_of(static_cast<int>(n), seed);
    const std::size_t count = clouds.size();
    const BatchShape shape{static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(n)};
    const GpuArray<float> points(joined(clouds));
    const GpuArray<double> centres(count * 3);
    const GpuArray<double> planes(count * (n - 1) * 4);
    const GpuArray<std::int32_t> leaf_orders(count * n);
    const GpuArray<std::int32_t> ties(count);
    const GpuArray<std::int32_t> finite(count);
    const GpuArray<std::byte> scratch(tree_scratch_bytes(shape));
    build_trees(points.data(), shape, {},
                {centres.data(), planes.data(), leaf_orders.data(), ties.data(), finite.data()},
                scratch.data(), nullptr);
    const auto all_leaves = leaf_orders.values();
    const auto all_planes = planes.values();
    for (std::size_t b = 0; b < count; ++b) {
      SCOPED_TRACE(b);
      const RelaxedKdTree tree = build_tree(PointsView(clouds[b]));
      EXPECT_EQ(finite.values()[b], 1);
      EXPECT_EQ(ties.values()[b], tree.tied_nodes());
      EXPECT_TRUE(std::equal(tree.leaf_order().begin(), tree.leaf_order().end(),
                             all_leaves.begin() + static_cast<std::ptrdiff_t>(b * n)));
      EXPECT_EQ(std::memcmp(all_planes.data() + b * (n - 1) * 4, tree.planes().data(),
                            (n - 1) * 4 * sizeof(double)),
                0);
    }
  }
}

TEST_F(Gpu, poses_are_those_of_the_cpu_within_rounding) {
  POINTTREE_PROPERTY_SEED(seed);
  const std::vector<Points> clouds = clouds_of(2048, seed);
  const BatchShape shape{static_cast<std::uint32_t>(clouds.size()), 2048};
  for (const PreAlignMode mode : {PreAlignMode::none, PreAlignMode::plain, PreAlignMode::iterative,
                                  PreAlignMode::canonical, PreAlignMode::upright}) {
    SCOPED_TRACE(to_string(mode));
    PreAlignOptions options;
    options.mode = mode;
    const GpuArray<float> points(joined(clouds));
    const GpuArray<float> aligned(clouds.size() * 2048 * 3);
    const GpuArray<PoseRecord> poses(clouds.size());
    pre_align(points.data(), shape, options, aligned.data(), poses.data(), nullptr);
    const auto values = aligned.values();
    for (std::size_t b = 0; b < clouds.size(); ++b) {
      const PreAlignment expected = geometry::pre_align(PointsView(clouds[b]), options);
      const Eigen::Map<const Points> found(values.data() + b * 2048 * 3, 2048, 3);
      EXPECT_EQ(poses.values()[b].rank, expected.rank);
      const float size = std::max(1.0F, expected.points.cwiseAbs().maxCoeff());
      EXPECT_LE((found - expected.points).cwiseAbs().maxCoeff(), 1e-6F * size) << "cloud " << b;
    }
  }
}

}  // namespace
}  // namespace pointtree::geometry::cuda

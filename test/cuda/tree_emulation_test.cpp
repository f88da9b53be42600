// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "cuda/emulator.hpp"
#include "geometry/clouds.hpp"
#include "geometry/cuda/build_trees.hpp"
#include "geometry/property_seed.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry::cuda {
namespace {

using geometry::test::NamedCloud;
using test::EmulatedBlock;
using test::Emulator;

TreeBatch<EmulatedBlock> make_batch(Emulator& device, const std::vector<Points>& clouds) {
  const std::size_t count = clouds.size();
  const auto n = static_cast<std::size_t>(clouds.front().rows());
  std::vector<float> points;
  for (const Points& cloud : clouds) {
    points.insert(points.end(), cloud.data(), cloud.data() + cloud.size());
  }
  return {
      device.memory("points", points),
      device.memory<double>("centres", count * 3),
      device.memory<PlaneRecord>("planes", count * (n - 1)),
      device.memory<std::int32_t>("leaf_orders", count * n),
      device.memory<std::int32_t>("ties", count),
      device.memory<std::int32_t>("finite", count),
      device.memory<Entry>("entries", count * n),
      device.memory<Entry>("spare", count * n),
      device.memory<double>("duplicate_squares", count),
      {device.memory<std::int32_t>("buckets", count * n), device.memory<double>("keys", count * n)},
      static_cast<std::uint32_t>(count),
      static_cast<std::uint32_t>(n)};
}

tree::Rules rules_of(const TreeOptions& options) {
  tree::Rules rules;
  rules.axis_aligned = options.rule == SplitRule::axis_aligned;
  rules.third_moment_sign = options.sign == SignRule::third_moment;
  return rules;
}

bool same_bits(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

/// Builds the trees of a batch on the emulated device and expects those of the CPU, bit for bit.
void expect_trees_of_cpu(const std::vector<Points>& clouds, std::uint64_t seed,
                         const TreeOptions& options = {}) {
  Emulator device(seed);
  const TreeBatch<EmulatedBlock> batch = make_batch(device, clouds);
  build_trees(device, batch, rules_of(options));
  const std::size_t n = batch.n;
  for (std::size_t b = 0; b < clouds.size(); ++b) {
    SCOPED_TRACE("cloud " + std::to_string(b));
    const RelaxedKdTree tree = build_tree(PointsView(clouds[b]), options);
    ASSERT_EQ(batch.finite.values()[b], 1);
    EXPECT_TRUE(same_bits(batch.centres.values().data() + 3 * b, tree.centre().data(), 3));
    const auto leaves = batch.leaf_orders.values().begin() + static_cast<std::ptrdiff_t>(b * n);
    ASSERT_EQ(std::vector<std::int32_t>(leaves, leaves + static_cast<std::ptrdiff_t>(n)),
              tree.leaf_order());
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const PlaneRecord plane = batch.planes.values()[b * (n - 1) + i];
      const Plane& expected = tree.planes()[i];
      ASSERT_TRUE(same_bits(plane.normal, expected.normal.data(), 3) &&
                  same_bits(&plane.offset, &expected.offset, 1))
          << "plane " << i;
    }
    EXPECT_EQ(batch.ties.values()[b], tree.tied_nodes());
  }
}

/// Clouds of n points in very few places.
std::vector<NamedCloud> crowded_clouds(int n, std::uint64_t seed) {
  Random random(seed);
  PointsOf<double> two_places(n, 3);
  for (int i = 0; i < n; ++i) two_places.row(i).setConstant(random.below(2) == 0 ? 1.0 : 2.0);
  return {{"one place", PointsOf<double>::Constant(n, 3, 0.1)}, {"two places", two_places}};
}

/// Clouds that break careless builders, all of n points.
std::vector<NamedCloud> degenerate_clouds(int n, std::uint64_t seed) {
  Random random(seed);
  std::vector<NamedCloud> clouds;
  const PointsOf<double> some = geometry::test::scene_cloud(n, seed);
  PointsOf<double> line(n, 3);
  for (int i = 0; i < n; ++i) {
    line.row(i) = random.uniform(-1, 1) * Eigen::RowVector3d(2, -1, 0.5);
  }
  clouds.push_back({"line", line});
  PointsOf<double> plane = some;
  plane.col(2).setConstant(0.25);
  clouds.push_back({"plane", plane});
  PointsOf<double> duplicates(n, 3);
  for (int i = 0; i < n; ++i) duplicates.row(i) = some.row(i % (n / 4));
  clouds.push_back({"four of each", duplicates});
  PointsOf<double> lattice(n, 3);
  for (int i = 0; i < n; ++i) {
    const int layer = i / 16;
    lattice.row(i) << i % 4, i / 4 % 4, 0.1 * layer;
  }
  clouds.push_back({"lattice", lattice});
  PointsOf<double> mirrored = some;
  mirrored.bottomRows(n / 2) = -mirrored.topRows(n / 2);
  clouds.push_back({"point symmetric", mirrored});
  clouds.push_back({"far away", (some.array() + 1e6).matrix()});
  return clouds;
}

TEST(CudaTreeEmulation, generic_clouds_of_every_size_get_the_trees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (int n = 2; n <= 8192; n *= 2) {
    SCOPED_TRACE(n);
    std::vector<Points> clouds;
    for (const NamedCloud& cloud : geometry::test::generic_clouds(n, seed)) {
      clouds.push_back(geometry::test::rounded(cloud.points));
    }
    expect_trees_of_cpu(clouds, seed);
  }
}

TEST(CudaTreeEmulation, degenerate_clouds_of_every_size_get_the_trees_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  constexpr int kLargestCrowd = 1024;  // comparing each with each takes its time
  for (int n = 16; n <= 8192; n *= 2) {
    std::vector<NamedCloud> clouds = degenerate_clouds(n, seed);
    if (n <= kLargestCrowd) {
      for (NamedCloud& cloud : crowded_clouds(n, seed)) clouds.push_back(std::move(cloud));
    }
    for (const NamedCloud& cloud : clouds) {
      SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
      expect_trees_of_cpu({geometry::test::rounded(cloud.points)}, seed);
    }
  }
}

TEST(CudaTreeEmulation, batches_of_any_number_do_not_mix_their_clouds) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const int count : {1, 3, 7, 13}) {
    SCOPED_TRACE(count);
    std::vector<Points> clouds;
    for (int b = 0; b < count; ++b) {
      clouds.push_back(geometry::test::rounded(
          b % 2 == 0 ? geometry::test::surface_cloud(256, seed + static_cast<std::uint64_t>(b))
                     : degenerate_clouds(256, seed)[static_cast<std::size_t>(b) / 2 % 6].points));
    }
    expect_trees_of_cpu(clouds, seed);
  }
}

TEST(CudaTreeEmulation, every_rule_gives_the_tree_of_the_cpu) {
  POINTTREE_PROPERTY_SEED(seed);
  for (const SplitRule rule : {SplitRule::relaxed, SplitRule::axis_aligned}) {
    for (const SignRule sign : {SignRule::largest_component, SignRule::third_moment}) {
      TreeOptions options;
      options.rule = rule;
      options.sign = sign;
      expect_trees_of_cpu({geometry::test::rounded(geometry::test::scene_cloud(2048, seed))}, seed,
                          options);
      for (const NamedCloud& cloud : degenerate_clouds(128, seed)) {
        SCOPED_TRACE(cloud.name);
        expect_trees_of_cpu({geometry::test::rounded(cloud.points)}, seed, options);
      }
    }
  }
}

TEST(CudaTreeEmulation, the_order_of_blocks_and_threads_changes_nothing) {
  const Points cloud = geometry::test::rounded(geometry::test::scene_cloud(1024, 5));
  for (std::uint64_t order = 0; order < 8; ++order) expect_trees_of_cpu({cloud}, order);
}

TEST(CudaTreeEmulation, a_cloud_that_is_not_finite_is_marked_and_leaves_the_others_alone) {
  const Points good = geometry::test::rounded(geometry::test::scene_cloud(64, 1));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Points broken = good;
    broken(17, 1) = bad;
    Emulator device(3);
    const TreeBatch<EmulatedBlock> batch = make_batch(device, {good, broken, good});
    build_trees(device, batch, {});
    EXPECT_EQ(batch.finite.values(), (std::vector<std::int32_t>{1, 0, 1}));
    const std::vector<std::int32_t> expected = build_tree(PointsView(good)).leaf_order();
    const auto leaves = batch.leaf_orders.values().begin();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), leaves));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), leaves + 128));
  }
}

TEST(CudaTreeEmulation, a_batch_takes_as_many_launches_as_levels_and_one) {
  Emulator device(1);
  build_trees(device,
              make_batch(device, {geometry::test::rounded(geometry::test::scene_cloud(2048, 1))}),
              {});
  EXPECT_EQ(device.launches(), 12);
}

}  // namespace
}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "geometry/clouds.hpp"
#include "geometry/property_seed.hpp"
#include "geometry/tree/workspace.hpp"

namespace pointtree::geometry::tree {
namespace {

struct Built {
  std::vector<std::int32_t> leaf_order;
  std::vector<PlaneRecord> planes;
  std::int32_t ties;
};

Built build_with(const Kernel& kernel, const PointsOf<double>& points) {
  const auto n = static_cast<std::size_t>(points.rows());
  Workspace workspace(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = points.row(static_cast<Eigen::Index>(i));
    workspace.points()[i] = {row.x(), row.y(), row.z(), static_cast<double>(i)};
  }
  Built built{std::vector<std::int32_t>(n), std::vector<PlaneRecord>(n - 1), 0};
  built.ties = kernel.build_subtree({workspace.points(), workspace.spare(), workspace.buckets(),
                                     built.leaf_order.data(), built.planes.data(), n, 1},
                                    Rules{});
  return built;
}

TEST(TreeKernel, every_instruction_set_gives_the_same_bits) {
#ifndef POINTTREE_AVX2_KERNEL
  GTEST_SKIP() << "only one kernel is built for this processor family";
#else
  if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "this processor has no AVX2";
  POINTTREE_PROPERTY_SEED(seed);
  for (int n : {2, 4, 64, 1024, 8192}) {
    std::vector<test::NamedCloud> clouds = test::generic_clouds(n, seed);
    if (n == 64) clouds.push_back({"grid", test::grid_cloud(4)});
    for (const test::NamedCloud& cloud : clouds) {
      SCOPED_TRACE(cloud.name + " of " + std::to_string(n));
      const Built a = build_with(generic_kernel(), cloud.points);
      const Built b = build_with(avx2_kernel(), cloud.points);
      ASSERT_EQ(a.leaf_order, b.leaf_order);
      ASSERT_EQ(a.ties, b.ties);
      for (std::size_t i = 0; i < a.planes.size(); ++i) {
        ASSERT_EQ(a.planes[i].offset, b.planes[i].offset);
        for (int c = 0; c < 3; ++c) ASSERT_EQ(a.planes[i].normal[c], b.planes[i].normal[c]);
      }
    }
  }
#endif
}

}  // namespace
}  // namespace pointtree::geometry::tree

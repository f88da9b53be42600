// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pointtree::geometry {
namespace {

TEST(Random, is_the_same_with_every_standard_library) {
  // The ten thousandth number of the default-seeded engine is fixed by the C++ standard; ours are
  // made from it alone.
  Random random(5489);
  double last = 0.0;
  for (int i = 0; i < 10000; ++i) last = random.uniform();
  EXPECT_EQ(last, static_cast<double>(9981545732273789042ULL >> 11) * 0x1.0p-53);
}

TEST(Random, moments_are_those_of_the_distributions) {
  Random random(2);
  constexpr int kDraws = 200000;
  double uniform = 0.0;
  double normal = 0.0;
  double normal_square = 0.0;
  Eigen::Matrix3d directions = Eigen::Matrix3d::Zero();
  int below[7] = {};
  for (int i = 0; i < kDraws; ++i) {
    uniform += random.uniform();
    const double n = random.normal();
    normal += n;
    normal_square += n * n;
    const Eigen::RowVector3d d = random.direction();
    ASSERT_NEAR(d.norm(), 1.0, 1e-12);
    directions += d.transpose() * d;
    ++below[random.below(7)];
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.005);
  EXPECT_NEAR(normal / kDraws, 0.0, 0.015);
  EXPECT_NEAR(normal_square / kDraws, 1.0, 0.02);
  EXPECT_LT((directions / kDraws - Eigen::Matrix3d::Identity() / 3.0).norm(), 0.01);
  for (int count : below) EXPECT_NEAR(count, kDraws / 7.0, 1000.0);
}

}  // namespace
}  // namespace pointtree::geometry

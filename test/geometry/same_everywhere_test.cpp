// SPDX-License-Identifier: Apache-2.0

// Trees and poses are the same to the last bit on every processor: hashes of what x86-64 gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "geometry/detail/half_turn.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry {
namespace {

// FNV-1a over the bits of numbers.
class Hash {
 public:
  template <typename Number>
  void add(Number number) {
    unsigned char bytes[sizeof(Number)];
    std::memcpy(bytes, &number, sizeof(Number));
    for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 0x100000001b3U;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

// A bent, thick sheet, made without functions whose last bit is the C library's choice.
Points sheet(int n) {
  Random random(31);
  Points points(n, 3);
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(-2.0, 2.0);
    const double y = random.uniform(-1.0, 1.0);
    const double z = 0.3 * x * x - 0.2 * x * y + 0.1 * y + random.uniform(0.0, 0.05);
    points.row(i) << static_cast<float>(x), static_cast<float>(y), static_cast<float>(z);
  }
  return points;
}

std::uint64_t hash_of(const RelaxedKdTree& tree) {
  Hash hash;
  for (const std::int32_t leaf : tree.leaf_order()) hash.add(leaf);
  for (const Plane& plane : tree.planes()) {
    for (int c = 0; c < 3; ++c) hash.add(plane.normal[c]);
    hash.add(plane.offset);
  }
  return hash.value();
}

std::uint64_t hash_of(const PreAlignment& pose) {
  Hash hash;
  for (Eigen::Index i = 0; i < pose.points.size(); ++i) hash.add(pose.points.data()[i]);
  for (int i = 0; i < 9; ++i) hash.add(pose.linear.data()[i]);
  for (int c = 0; c < 3; ++c) hash.add(pose.translation[c]);
  return hash.value();
}

TEST(HalfTurn, is_by_half_the_angle) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    for (const double x : {-1.0, -1e-6, 0.0, 1e-6, 1.0}) {
      for (const double y : {-1.0, -1e-9, 0.0, 1e-9, 1.0}) {
        const double half = 0.5 * std::atan2(size * y, size * x);
        const detail::Turn turn = detail::half_turn(size * x, size * y);
        EXPECT_NEAR(turn.cos, std::cos(half), 4e-16) << x << " " << y;
        EXPECT_NEAR(turn.sin, std::sin(half), 4e-16) << x << " " << y;
      }
    }
  }
}

TEST(SameEverywhere, trees) {
  TreeOptions options;
  EXPECT_EQ(hash_of(build_tree(sheet(4096), options)), 0xf6938a8aa1061e0dU);
  options.sign = SignRule::third_moment;
  EXPECT_EQ(hash_of(build_tree(sheet(4096), options)), 0x15a3d390d1b33057U);
  options.rule = SplitRule::axis_aligned;
  EXPECT_EQ(hash_of(build_tree(sheet(4096), options)), 0x673690142a6846dfU);
}

TEST(SameEverywhere, poses) {
  EXPECT_EQ(hash_of(pre_align(sheet(1000), PreAlignMode::none)), 0x4715291ffde275c6U);
  EXPECT_EQ(hash_of(pre_align(sheet(1000), PreAlignMode::plain)), 0x67a29b0fb71b5061U);
  EXPECT_EQ(hash_of(pre_align(sheet(1000), PreAlignMode::iterative)), 0x7e0c780f093b8561U);
  EXPECT_EQ(hash_of(pre_align(sheet(1000), PreAlignMode::canonical)), 0xdcf1cf5790514ce9U);
  EXPECT_EQ(hash_of(pre_align(sheet(1000), PreAlignMode::upright)), 0x8548835e83a5aba5U);
}

}  // namespace
}  // namespace pointtree::geometry

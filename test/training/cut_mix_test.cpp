// SPDX-License-Identifier: Apache-2.0
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include <set>

#include "training/batch.hpp"

namespace pointtree::training {
namespace {

TEST(CutMix, every_cloud_holds_one_subtree_of_the_cloud_before_it) {
  // Each row tells its cloud and its leaf.
  const at::Tensor whole = at::arange(4 * 16, at::kFloat).view({4, 16, 1});
  const at::Tensor kept = whole.clone();
  std::set<double> shares;
  std::set<std::int64_t> begins;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    at::Tensor mixed = whole;
    geometry::Random random(seed);
    const double share = cut_mix(mixed, random);
    shares.insert(share);
    const auto leaves = static_cast<std::int64_t>(share * 16);
    const at::Tensor foreign = mixed.ne(whole).select(2, 0);
    ASSERT_TRUE(foreign.sum(1).eq(leaves).all().item<bool>());
    const auto begin = foreign[0].nonzero()[0].item<std::int64_t>();
    begins.insert(begin);
    EXPECT_EQ(begin % leaves, 0);
    const at::Tensor expected = whole.narrow(1, begin, leaves).roll(1, 0);
    EXPECT_TRUE(mixed.narrow(1, begin, leaves).equal(expected));
  }
  EXPECT_EQ(shares, (std::set<double>{0.125, 0.25, 0.5}));
  EXPECT_GE(begins.size(), 4U);
  EXPECT_TRUE(whole.equal(kept)) << "the batch itself stays as it was";
}

}  // namespace
}  // namespace pointtree::training

// SPDX-License-Identifier: Apache-2.0
#include "training/losses.hpp"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <stdexcept>

namespace pointtree::training {
namespace {

TEST(CrossEntropy, agrees_with_libtorch_where_all_classes_compete) {
  torch::manual_seed(3);
  const auto logits = at::randn({6, 5});
  const auto targets = at::randint(0, 5, {6}, at::kLong);
  for (const double smoothing : {0.0, 0.2}) {
    const auto expected = at::cross_entropy_loss(logits, targets, {}, 1, -100, smoothing);
    EXPECT_NEAR(cross_entropy(logits, targets, smoothing).item<double>(), expected.item<double>(),
                1e-5);
  }
}

TEST(CrossEntropy, forbidden_classes_neither_cost_nor_learn) {
  torch::manual_seed(4);
  const auto table = allowed_parts({{0, 1}, {2, 3, 4}}, 5);
  auto logits = at::randn({2, 3, 5}).requires_grad_();
  const auto targets = at::tensor({0, 1, 1, 2, 4, 3}, at::kLong).view({2, 3});
  const auto allowed = table.unsqueeze(1);
  const auto loss = cross_entropy(logits, targets, 0.1, allowed);
  loss.backward();
  EXPECT_EQ(logits.grad()[0].narrow(1, 2, 3).abs().sum().item<double>(), 0.0);
  EXPECT_EQ(logits.grad()[1].narrow(1, 0, 2).abs().sum().item<double>(), 0.0);
  const auto alone = cross_entropy(logits.detach()[0].narrow(1, 0, 2), targets[0], 0.1) +
                     cross_entropy(logits.detach()[1].narrow(1, 2, 3), targets[1] - 2, 0.1);
  EXPECT_NEAR(loss.item<double>(), alone.item<double>() / 2.0, 1e-5);
}

TEST(CrossEntropy, unknown_targets_are_left_out) {
  torch::manual_seed(5);
  const auto logits = at::randn({4, 3});
  const auto targets = at::tensor({0, -1, 2, -1}, at::kLong);
  const auto kept = at::tensor({0, 2}, at::kLong);
  EXPECT_NEAR(cross_entropy(logits, targets, 0.0).item<double>(),
              cross_entropy(logits.index_select(0, kept), kept, 0.0).item<double>(), 1e-6);
}

TEST(ClassWeights, make_every_class_count_alike_at_full_power) {
  const auto targets = at::tensor({0, 0, 0, 2, -1}, at::kLong);
  const auto counts = class_counts(targets, 4);
  EXPECT_TRUE(counts.equal(at::tensor({3.0F, 0.0F, 1.0F, 0.0F})));
  const auto alike = class_weights(counts, 0.0);
  EXPECT_FLOAT_EQ(alike[0].item<float>(), 1.0F);
  EXPECT_FLOAT_EQ(alike[2].item<float>(), 1.0F);
  const auto full = class_weights(counts, 1.0);
  EXPECT_FLOAT_EQ(3.0F * full[0].item<float>(), full[2].item<float>());
  EXPECT_FLOAT_EQ((full * counts).sum().item<float>(), 4.0F);
  EXPECT_EQ(full[1].item<float>(), 0.0F);
}

TEST(ClassWeights, weigh_the_rows_of_the_loss) {
  torch::manual_seed(6);
  const auto logits = at::randn({4, 3});
  const auto targets = at::tensor({0, 0, 2, -1}, at::kLong);
  const auto weights = class_weights(class_counts(targets, 3), 1.0);
  const auto of_row = [&](std::int64_t row) {
    return cross_entropy(logits.narrow(0, row, 1), targets.narrow(0, row, 1), 0.1).item<double>();
  };
  const double expected = ((of_row(0) + of_row(1)) / 2.0 + of_row(2)) / 2.0;
  EXPECT_NEAR(cross_entropy(logits, targets, 0.1, {}, weights).item<double>(), expected, 1e-5);
}

TEST(Predict, chooses_among_allowed_classes_only) {
  const auto logits = at::tensor({9.0F, 1.0F, 2.0F}).view({1, 1, 3});
  EXPECT_EQ(predict(logits).item<std::int64_t>(), 0);
  EXPECT_EQ(predict(logits, allowed_parts({{1, 2}}, 3).unsqueeze(1)).item<std::int64_t>(), 2);
  EXPECT_THROW(allowed_parts({{3}}, 3), std::invalid_argument);
}

}  // namespace
}  // namespace pointtree::training

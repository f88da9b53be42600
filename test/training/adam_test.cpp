// SPDX-License-Identifier: Apache-2.0
#include "training/adam.hpp"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>

namespace pointtree::training {
namespace {

// Adam as its authors write it, one number at a time in double.
class PlainAdam {
 public:
  PlainAdam(double value, bool decoupled, double weight_decay)
      : value_(value), decoupled_(decoupled), weight_decay_(weight_decay) {}

  double step(double gradient, double rate) {
    ++steps_;
    if (decoupled_) value_ -= rate * weight_decay_ * value_;
    if (!decoupled_) gradient += weight_decay_ * value_;
    first_ = 0.9 * first_ + 0.1 * gradient;
    second_ = 0.999 * second_ + 0.001 * gradient * gradient;
    const double first = first_ / (1.0 - std::pow(0.9, steps_));
    const double second = second_ / (1.0 - std::pow(0.999, steps_));
    value_ -= rate * first / (std::sqrt(second) + 1e-8);
    return value_;
  }

 private:
  double value_;
  bool decoupled_;
  double weight_decay_;
  double first_ = 0.0;
  double second_ = 0.0;
  int steps_ = 0;
};

class AdamTest : public ::testing::TestWithParam<const char*> {};

TEST_P(AdamTest, follows_the_plain_rule_and_spares_vectors_from_decay) {
  torch::manual_seed(11);
  auto matrix = at::randn({7, 5}).requires_grad_();
  auto vector = at::randn({9}).requires_grad_();
  OptimizerConfig config;
  config.name = GetParam();
  config.weight_decay = 0.1;
  Adam adam({{"matrix", matrix}, {"vector", vector}}, config);
  const bool decoupled = config.name == "adamw";
  PlainAdam first_of_matrix(matrix.flatten()[0].item<double>(), decoupled, 0.1);
  PlainAdam first_of_vector(vector[0].item<double>(), decoupled, 0.0);
  for (int i = 0; i < 20; ++i) {
    adam.clear_gradients();
    matrix.mutable_grad() = at::randn({7, 5});
    vector.mutable_grad() = at::randn({9});
    const double rate = 0.01 / (1 + i);
    const double m = first_of_matrix.step(matrix.grad().flatten()[0].item<double>(), rate);
    const double v = first_of_vector.step(vector.grad()[0].item<double>(), rate);
    adam.step(rate);
    EXPECT_NEAR(matrix.flatten()[0].item<double>(), m, 1e-5);
    EXPECT_NEAR(vector[0].item<double>(), v, 1e-5);
  }
  EXPECT_EQ(adam.steps(), 20);
}

INSTANTIATE_TEST_SUITE_P(BothForms, AdamTest, ::testing::Values("adam", "adamw"));

TEST(Adam, clipping_scales_all_gradients_to_one_norm) {
  auto a = at::rand({4, 4}).requires_grad_();
  auto b = at::rand({3}).requires_grad_();
  OptimizerConfig config;
  config.clip_norm = 0.5;
  Adam adam({{"a", a}, {"b", b}}, config);
  a.mutable_grad() = at::randn({4, 4});
  b.mutable_grad() = at::randn({3});
  const auto direction = a.grad().clone();
  const double before = std::hypot(a.grad().norm().item<double>(), b.grad().norm().item<double>());
  EXPECT_NEAR(adam.clip_gradients(), before, 1e-5);
  EXPECT_NEAR(std::hypot(a.grad().norm().item<double>(), b.grad().norm().item<double>()), 0.5,
              1e-5);
  EXPECT_TRUE(a.grad().allclose(direction * (0.5 / before)));
}

TEST(AveragedWeights, swapping_twice_changes_nothing_and_the_average_follows) {
  auto weights = at::randn({5});
  const auto start = weights.clone();
  AveragedWeights average({{"weights", weights}}, 0.9);
  weights.add_(1.0);
  for (std::int64_t step = 1; step <= 200; ++step) average.update(step);
  EXPECT_TRUE(average.averages()[0].second.allclose(weights, 1e-4, 1e-4));
  const auto held = weights.clone();
  average.swap();
  average.swap();
  EXPECT_TRUE(weights.equal(held));
  EXPECT_FALSE(weights.equal(start));
}

}  // namespace
}  // namespace pointtree::training

// SPDX-License-Identifier: Apache-2.0
#include "network/training_kernels.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/prelu.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/utils.h>

namespace pointtree::network {
namespace {

// A linear map with normalisation whose scales have both signs.
struct Layer {
  Layer(int in, int out) : linear(in, out), norm(out) {
    const at::NoGradGuard no_grad;
    norm->weight.copy_(at::randn({out}));
    norm->bias.copy_(at::randn({out}));
  }
  torch::nn::Linear linear;
  torch::nn::BatchNorm1d norm;
};

struct Answer {
  at::Tensor value;
  std::vector<at::Tensor> gradients;
  at::Tensor running_mean;
  at::Tensor running_variance;
};

// Evaluates with fresh running statistics; gradients are those of a fixed random weighting of the
// value.
template <typename Evaluate>
Answer answer(Layer& layer, const std::vector<at::Tensor>& inputs, Evaluate evaluate) {
  layer.norm->reset_running_stats();
  Answer result;
  result.value = evaluate();
  torch::manual_seed(99);
  const auto weighting = at::randn(result.value.sizes().vec());
  result.gradients = torch::autograd::grad({(result.value * weighting).sum()}, inputs);
  result.running_mean = layer.norm->running_mean.clone();
  result.running_variance = layer.norm->running_var.clone();
  return result;
}

void expect_same(const Answer& fused, const Answer& plain) {
  EXPECT_TRUE(fused.value.allclose(plain.value, 1e-4, 1e-5))
      << (fused.value - plain.value).abs().max();
  EXPECT_TRUE(fused.running_mean.allclose(plain.running_mean, 1e-4, 1e-5));
  EXPECT_TRUE(fused.running_variance.allclose(plain.running_variance, 1e-4, 1e-5));
  ASSERT_EQ(fused.gradients.size(), plain.gradients.size());
  for (std::size_t i = 0; i < fused.gradients.size(); ++i) {
    const auto scale = plain.gradients[i].abs().max().item<double>();
    EXPECT_LT((fused.gradients[i] - plain.gradients[i]).abs().max().item<double>(), 2e-4 * scale)
        << "input " << i;
  }
}

class TrainingKernelsTest : public ::testing::Test {
 protected:
  TrainingKernelsTest() { torch::manual_seed(7); }
};

TEST_F(TrainingKernelsTest, maximum_of_a_folded_map_is_that_of_the_plain_modules) {
  Layer layer(6, 40);
  auto points = (at::randn({3, 300, 6}) * 2.0 + 1.0).detach().requires_grad_();
  const std::vector<at::Tensor> inputs{points, layer.linear->weight, layer.norm->weight,
                                       layer.norm->bias};
  const auto rows = [&] { return points.reshape({-1, 6}); };
  const auto fused = answer(layer, inputs, [&] {
    return max_of_linear(points, fold_normalisation(rows(), layer.linear, layer.norm));
  });
  const auto plain = answer(layer, inputs, [&] {
    return std::get<0>(layer.norm(layer.linear(rows())).view({3, 300, 40}).max(1));
  });
  expect_same(fused, plain);
}

// Three columns, coordinates alone, have loops of their own.
class LeafLayers : public TrainingKernelsTest, public ::testing::WithParamInterface<int> {};

TEST_P(LeafLayers, in_pieces_are_those_of_the_plain_modules) {
  Layer layer(GetParam(), 50);
  torch::nn::Linear last(50, 8);
  auto slope = at::full({1}, 0.25).requires_grad_();
  auto rows = (at::randn({700, GetParam()}) + 0.5).detach().requires_grad_();
  const std::vector<at::Tensor> inputs{
      rows,  layer.linear->weight, layer.norm->weight, layer.norm->bias,
      slope, last->weight,         last->bias};
  const auto fused = answer(layer, inputs, [&] {
    return prelu_mlp(rows, fold_normalisation(rows, layer.linear, layer.norm), slope, last->weight,
                     last->bias);
  });
  const auto plain =
      answer(layer, inputs, [&] { return last(at::prelu(layer.norm(layer.linear(rows)), slope)); });
  expect_same(fused, plain);
}

INSTANTIATE_TEST_SUITE_P(Columns, LeafLayers, ::testing::Values(3, 5));

TEST_F(TrainingKernelsTest, products_in_bfloat16_differ_by_their_rounding_alone) {
  Layer layer(6, 40);
  const auto points = at::randn({3, 300, 6});
  const auto both = [&] {
    const auto map = fold_normalisation(points.view({-1, 6}), layer.linear, layer.norm);
    return std::pair(linear_product(layer.linear, points), max_of_linear(points, map));
  };
  const auto [product, maximum] = both();
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const auto [half_product, half_maximum] = both();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
  EXPECT_EQ(half_product.scalar_type(), at::kFloat) << "what follows is made for float32";
  EXPECT_TRUE(half_product.allclose(product, 0.02, 0.02));
  EXPECT_TRUE(half_maximum.allclose(maximum, 0.02, 0.02));
  EXPECT_FALSE(half_product.equal(product)) << "no bfloat16 was used";
  EXPECT_FALSE(half_maximum.equal(maximum)) << "no bfloat16 was used";
}

TEST_F(TrainingKernelsTest, normalised_maximum_of_pairs_is_that_of_the_plain_modules) {
  Layer layer(4, 24);
  auto features = (at::randn({5, 32, 24}) * 3.0 - 1.0).detach().requires_grad_();
  const std::vector<at::Tensor> inputs{features, layer.norm->weight, layer.norm->bias};
  const auto fused =
      answer(layer, inputs, [&] { return normalised_max_of_pairs(features, layer.norm); });
  const auto plain = answer(layer, inputs, [&] {
    return layer.norm(features.reshape({-1, 24})).view({5, 16, 2, 24}).amax(2);
  });
  expect_same(fused, plain);
}

}  // namespace
}  // namespace pointtree::network

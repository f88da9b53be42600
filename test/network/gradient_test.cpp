// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "inference/small_configs.hpp"
#include "network/trained_like.hpp"

namespace pointtree::network {
namespace {

constexpr double kStep = 1e-6;
constexpr int kEntriesPerTensor = 2;

/// Loss over all outputs with fixed random weights, batch statistics included.
class Loss {
 public:
  explicit Loss(PointTreeNet net, const torch::Tensor& owner)
      : net_(std::move(net)), owner_(owner) {}

  torch::Tensor operator()(const torch::Tensor& points) {
    const auto output = net_(points, owner_);
    auto outputs = output.auxiliary;
    outputs.push_back(output.logits);
    auto sum = torch::zeros({}, torch::kFloat64);
    for (const auto& logits : outputs) {
      if (!weights_.defined()) weights_ = torch::randn(logits.sizes(), torch::kFloat64);
      sum = sum + (torch::log_softmax(logits, -1) * weights_).sum();
    }
    return sum / static_cast<double>(weights_.numel());
  }

 private:
  PointTreeNet net_;
  torch::Tensor owner_;
  torch::Tensor weights_;
};

/// Central differences of some entries of `tensor` against its gradient.
void expect_gradient(const std::string& name, torch::Tensor tensor, const torch::Tensor& gradient,
                     Loss& loss, const torch::Tensor& points, std::mt19937& random) {
  auto flat = tensor.detach().view({-1});
  const auto expected = gradient.reshape({-1});
  for (int k = 0; k < kEntriesPerTensor; ++k) {
    const auto entry =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(flat.numel()));
    const torch::NoGradGuard no_grad;
    flat[entry] += kStep;
    const double above = loss(points).item<double>();
    flat[entry] -= 2.0 * kStep;
    const double below = loss(points).item<double>();
    flat[entry] += kStep;
    const double analytic = expected[entry].item<double>();
    EXPECT_NEAR((above - below) / (2.0 * kStep), analytic, 1e-7 + 1e-5 * std::abs(analytic))
        << name << "[" << entry << "]";
  }
}

class Gradient : public testing::TestWithParam<const char*> {};

TEST_P(Gradient, agrees_with_finite_differences) {
  constexpr int kSeed = 8;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  const inference::ModelConfig config = inference::small_configs().at(GetParam());
  PointTreeNet net = trained_like(config, kSeed);
  net->train();
  net->to(torch::kFloat64);
  std::mt19937 random(kSeed);
  auto points = torch::randn({3, config.points, config.channels()}, torch::kFloat64);
  points.set_requires_grad(true);
  torch::Tensor owner;
  if (config.task == inference::Task::segmentation) {
    owner = torch::randint(config.points / 2, {3, config.points}, torch::kInt64);
  }
  Loss loss(net, owner);
  loss(points).backward();
  expect_gradient("points", points, points.grad(), loss, points, random);
  for (const auto& item : net->named_parameters()) {
    expect_gradient(item.key(), item.value(), item.value().grad(), loss, points, random);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Gradient,
                         testing::Values("def", "ka", "rns of two blocks", "concat_mlp",
                                         "segmentation with colour", "segmentation rns"),
                         [](const auto& test) { return "network_" + std::to_string(test.index); });

}  // namespace
}  // namespace pointtree::network

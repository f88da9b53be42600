// SPDX-License-Identifier: Apache-2.0
#include "training/ensemble.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace pointtree::training {
namespace {

TEST(Ensemble, answers_with_the_mean_of_its_members_probabilities) {
  const at::NoGradGuard no_grad;
  inference::ModelConfig config;
  config.alignment = inference::Alignment::none;
  config.points = 16;
  config.classes = 3;
  config.leaf_hidden = 8;
  config.leaf_width = 8;
  config.max_width = 16;
  std::vector<Member> members;
  std::vector<Batch> batches(2);
  at::Tensor mean;
  for (Batch& batch : batches) {
    batch.points = at::randn({2, 16, 3});
    members.push_back({{}, network::PointTreeNet(config), config});
    members.back().network->eval();
    const auto own = members.back().network->forward(batch.points, {}).logits.softmax(-1) / 2;
    mean = mean.defined() ? mean + own : own;
  }
  const at::Tensor joint = ensemble_logits(members, batches).exp();
  EXPECT_TRUE(at::allclose(joint, mean));
  EXPECT_TRUE(at::allclose(joint.sum(1), at::ones({2})));
}

}  // namespace
}  // namespace pointtree::training

#include "training/committee.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace pointtree::training {
namespace {

TEST(Committee, every_member_has_one_say_however_often_it_looks) {
  const at::NoGradGuard no_grad;
  inference::ModelConfig config;
  config.alignment = inference::Alignment::none;
  config.points = 16;
  config.classes = 3;
  config.leaf_hidden = 8;
  config.leaf_width = 8;
  config.max_width = 16;
  Member member{{}, network::PointTreeNet(config), config, 1};
  member.network->eval();
  Batch batch;
  batch.points = at::randn({2, 16, 3});
  const at::Tensor once = vote(member, batch, 2);
  EXPECT_TRUE(at::allclose(once.sum(1), at::ones({2})));
  member.views = 4;
  EXPECT_TRUE(at::allclose(4 * vote(member, batch, 2), once));
}

}  // namespace
}  // namespace pointtree::training

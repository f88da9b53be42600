// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <vector>

namespace pointtree::training {

/// The paper's `def` classifier as one would write it first: 1×1 convolutions over [B, C, N], a
/// gather into leaf order, one module after the other. The yardstick of `pointtree bench train`.
class PlainNetworkImpl : public torch::nn::Module {
 public:
  PlainNetworkImpl(std::int64_t points, std::int64_t classes);

  /// Points [B, N, 3] in input order and leaf orders [B, N] → logits [B, classes].
  torch::Tensor forward(const torch::Tensor& points, const torch::Tensor& leaf_order);

 private:
  torch::nn::Sequential alignment_;
  torch::nn::Sequential alignment_head_;
  torch::nn::Sequential leaf_;
  std::vector<torch::nn::Sequential> levels_;
  torch::nn::Sequential head_;
};
TORCH_MODULE(PlainNetwork);

}  // namespace pointtree::training

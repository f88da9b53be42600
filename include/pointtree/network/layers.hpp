// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include "pointtree/inference/network_plan.hpp"

namespace pointtree::network {

/// Linear → BatchNorm → activation over the last dimension; submodules `linear`, `norm`,
/// `activation`.
class DenseImpl : public torch::nn::Module {
 public:
  explicit DenseImpl(const inference::DensePlan& plan);

  /// [..., in] → [..., out].
  torch::Tensor forward(const torch::Tensor& input);

  /// Normalises and activates what a linear map has already produced: [..., out] → [..., out].
  torch::Tensor finish(torch::Tensor mapped);

  const inference::DensePlan& plan() const { return plan_; }
  const torch::nn::Linear& linear() const { return linear_; }
  const torch::nn::BatchNorm1d& norm() const { return norm_; }  ///< null without normalisation

 private:
  inference::DensePlan plan_;
  torch::nn::Linear linear_{nullptr};
  torch::nn::BatchNorm1d norm_{nullptr};
  torch::nn::PReLU activation_{nullptr};
};
TORCH_MODULE(Dense);

/// The largest of each mapped feature over the rows of each cloud: [B, N, in] → [B, out]. In
/// training a layer that widens its input is fused with the maximum.
torch::Tensor max_over_rows(Dense& layer, const torch::Tensor& rows);

/// Dense layers one after the other, submodules `0`, `1`, …; dropout, if any, comes before the
/// last.
class MlpImpl : public torch::nn::Module {
 public:
  explicit MlpImpl(const inference::MlpPlan& plan, double dropout = 0.0);

  /// [..., in] → [..., out].
  torch::Tensor forward(torch::Tensor input);

  /// The same and the maximum over the rows of each cloud: [B, N, in] → [B, out].
  torch::Tensor forward_max(torch::Tensor rows);

 private:
  std::vector<Dense> layers_;
  double dropout_;
};
TORCH_MODULE(Mlp);

}  // namespace pointtree::network

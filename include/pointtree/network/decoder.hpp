// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pointtree/network/layers.hpp"

namespace pointtree::network {

/// The top-down flow: carry(o) = BN(Linear([info(o), carry(parent(o))])), carry(root) = info(root).
///
/// Submodules: `levels.<l>`, where levels.0 serves the root's children.
class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const inference::DecoderPlan& plan);

  /// The encoder's features from leaves to root → point features in leaf order [B, 2^d, width].
  torch::Tensor forward(const std::vector<torch::Tensor>& features);

 private:
  std::vector<Dense> levels_;
};
TORCH_MODULE(Decoder);

/// Gives all leaves of one point the mean of their features; owner[b, j] in [0, 2^d) is the point
/// in leaf j.
torch::Tensor average_repeated(const torch::Tensor& features, const torch::Tensor& owner);

}  // namespace pointtree::network

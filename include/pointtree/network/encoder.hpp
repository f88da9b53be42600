// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pointtree/network/layers.hpp"

namespace pointtree::network {

/// The encoder of the paper: leaf layers, then one shared map and a pairwise merge per tree level.
///
/// Submodules: `leaf.<i>`, `levels.<l>`, where levels.0 maps the leaves' features, and
/// `shapes.<l>.<i>` for the levels whose input has the shapes of their parents' subtrees.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const inference::EncoderPlan& plan);

  /// Points in leaf order [B, 2^d, in], the rows of subtree_rows() behind what the leaves see →
  /// features from leaves to root: the l-th is [B, 2^(d−l), widths[l]].
  std::vector<torch::Tensor> forward(const torch::Tensor& points);

 private:
  torch::Tensor climb(std::size_t level, const torch::Tensor& children);

  inference::EncoderPlan plan_;
  Mlp leaf_{nullptr};
  std::vector<Dense> levels_;  // null where a level has no map
  std::vector<Mlp> shapes_;    // null where a level has no shapes as input
};
TORCH_MODULE(Encoder);

/// The write_subtree_shapes() of the subtrees of 2^(level + 1) points, out of the channels
/// from `first` on: [B, 2^d, in] → [B, 2^(d−level−1), shapes].
torch::Tensor subtree_rows(const torch::Tensor& points, std::size_t level, std::int64_t first);

/// The larger of each adjacent pair: [B, 2n, C] → [B, n, C].
torch::Tensor max_of_pairs(const torch::Tensor& features);

}  // namespace pointtree::network

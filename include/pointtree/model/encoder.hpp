#pragma once

#include <vector>

#include "pointtree/model/layers.hpp"

namespace pointtree::model {

/// The encoder of the paper: leaf layers, then one shared map and a pairwise merge per tree level.
///
/// Submodules: `leaf.<i>` and `levels.<l>`, where levels.0 maps the leaves' features.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const EncoderPlan& plan);

  /// Points in leaf order [B, 2^d, in] → features from leaves to root: the l-th is [B, 2^(d−l),
  /// widths[l]].
  std::vector<torch::Tensor> forward(const torch::Tensor& points);

 private:
  torch::Tensor climb(std::size_t level, const torch::Tensor& children);

  EncoderPlan plan_;
  Mlp leaf_{nullptr};
  std::vector<Dense> levels_;  // null where a level has no map
};
TORCH_MODULE(Encoder);

/// The larger of each adjacent pair: [B, 2n, C] → [B, n, C].
torch::Tensor max_of_pairs(const torch::Tensor& features);

}  // namespace pointtree::model

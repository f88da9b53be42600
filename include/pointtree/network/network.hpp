// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pointtree/network/alignment.hpp"
#include "pointtree/network/decoder.hpp"
#include "pointtree/network/encoder.hpp"

namespace pointtree::network {

/// A network's output for a batch.
struct NetworkOutput {
  torch::Tensor logits;  ///< [B, classes], or [B, N, classes] in leaf order
  std::vector<torch::Tensor>
      auxiliary;  ///< same shape as logits; only while training, may be empty
};

/// An rns block: submodules `encoder` and `decoder`.
class BlockImpl : public torch::nn::Module {
 public:
  explicit BlockImpl(const inference::BlockPlan& plan);
  /// What a block hands on.
  struct Output {
    torch::Tensor point_features;  ///< [B, N, width]
    torch::Tensor root_feature;    ///< [B, root width]
  };

  /// Points or point features in leaf order [B, N, in] → point features and the root's.
  Output forward(const torch::Tensor& points);

 private:
  Encoder encoder_{nullptr};
  Decoder decoder_{nullptr};
};
TORCH_MODULE(Block);

/// A network of the PointTree family in its training form.
///
/// Input is in leaf order, so that no module needs an index table. Submodules: `alignment`,
/// `blocks.<i>`, `encoder`, `readouts.<i>`, `decoder`, `head` and, for training only,
/// `alignment_head` and `block_head`; dense_layers() lists them all.
class PointTreeNetImpl : public torch::nn::Module {
 public:
  explicit PointTreeNetImpl(const inference::ModelConfig& config);

  /// Points [B, 2^d, 3 + extra] in leaf order. `owner` [B, 2^d] (int64, optional) tells which point
  /// each leaf holds where points repeat; segmentation then averages over the leaves of a point.
  NetworkOutput forward(const torch::Tensor& points, const torch::Tensor& owner = {});

  const inference::ModelConfig& config() const { return plan_.config; }
  const inference::NetworkPlan& plan() const { return plan_; }

 private:
  torch::Tensor classify(const torch::Tensor& points);
  torch::Tensor segment(const torch::Tensor& points, const torch::Tensor& owner);
  torch::Tensor run_blocks(torch::Tensor points, const torch::Tensor& owner, NetworkOutput& output);

  inference::NetworkPlan plan_;
  AlignmentNet alignment_{nullptr};
  std::vector<Block> blocks_;
  Encoder encoder_{nullptr};
  std::vector<Dense> level_poolings_;
  Decoder decoder_{nullptr};
  Mlp head_{nullptr};
  Mlp alignment_head_{nullptr};
  Mlp block_head_{nullptr};
};
TORCH_MODULE(PointTreeNet);

}  // namespace pointtree::network

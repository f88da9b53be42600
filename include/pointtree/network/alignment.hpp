// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/network/encoder.hpp"

namespace pointtree::network {

/// PointNet's spatial transformer: submodules `point.<i>` and `global.<i>`.
class TNetImpl : public torch::nn::Module {
 public:
  explicit TNetImpl(const inference::TNetPlan& plan);

  /// Points [B, N, channels] → maps [B, 3, 3] close to the identity.
  torch::Tensor forward(const torch::Tensor& points);

 private:
  Mlp point_{nullptr};
  Mlp global_{nullptr};
};
TORCH_MODULE(TNet);

/// Points after alignment, and the tree encoder's root feature where there is one.
struct Aligned {
  torch::Tensor points;   ///< [B, N, channels]
  torch::Tensor feature;  ///< [B, width], undefined without a tree encoder
};

/// The alignment network: a T-Net, optionally followed by a tree encoder that predicts the map.
///
/// Submodules: `tnet`, `encoder`, `head`.
class AlignmentNetImpl : public torch::nn::Module {
 public:
  explicit AlignmentNetImpl(const inference::AlignmentPlan& plan);

  /// Moves the first three channels of [B, N, channels]; the others pass through.
  Aligned forward(const torch::Tensor& points);

 private:
  TNet tnet_{nullptr};
  Encoder encoder_{nullptr};
  Mlp head_{nullptr};
};
TORCH_MODULE(AlignmentNet);

}  // namespace pointtree::network

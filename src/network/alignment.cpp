// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/alignment.hpp"

#include "network/training_kernels.hpp"

namespace pointtree::network {
namespace {

torch::Tensor near_identity(const torch::Tensor& nine) {
  return nine.view({-1, 3, 3}) + torch::eye(3, nine.options());
}

/// Row vectors: p ← p · M for the coordinates only.
torch::Tensor move_points(const torch::Tensor& points, const torch::Tensor& map) {
  const FullPrecision full_precision;
  const auto extra = points.size(2) - 3;
  auto moved = torch::matmul(points.narrow(2, 0, 3), map);
  return extra == 0 ? moved : torch::cat({moved, points.narrow(2, 3, extra)}, 2);
}

}  // namespace

TNetImpl::TNetImpl(const inference::TNetPlan& plan) {
  point_ = register_module("point", Mlp(plan.point));
  global_ = register_module("global", Mlp(plan.global));
}

torch::Tensor TNetImpl::forward(const torch::Tensor& points) {
  return near_identity(global_(point_->forward_max(points)));
}

AlignmentNetImpl::AlignmentNetImpl(const inference::AlignmentPlan& plan) {
  tnet_ = register_module("tnet", TNet(plan.tnet));
  if (plan.encoder) {
    encoder_ = register_module("encoder", Encoder(*plan.encoder));
    head_ = register_module("head", Mlp(plan.head));
  }
}

Aligned AlignmentNetImpl::forward(const torch::Tensor& points) {
  Aligned aligned{move_points(points, tnet_(points)), {}};
  if (encoder_) {
    aligned.feature = encoder_(aligned.points).back().squeeze(1);
    aligned.points = move_points(aligned.points, near_identity(head_(aligned.feature)));
  }
  return aligned;
}

}  // namespace pointtree::network

#include "pointtree/model/alignment.hpp"

#include "pointtree/model/training_kernels.hpp"

namespace pointtree::model {
namespace {

/// [B, N, C] → [B, C]. The reduction that also returns indices has the far cheaper backward pass,
/// the other the cheaper forward.
torch::Tensor max_over_points(const torch::Tensor& features) {
  return features.requires_grad() ? std::get<0>(features.max(1)) : features.amax(1);
}

torch::Tensor near_identity(const torch::Tensor& nine) {
  return nine.view({-1, 3, 3}) + torch::eye(3, nine.options());
}

/// Row vectors: p ← p · M for the coordinates only.
torch::Tensor move_points(const torch::Tensor& points, const torch::Tensor& map) {
  const auto extra = points.size(2) - 3;
  auto moved = torch::matmul(points.narrow(2, 0, 3), map);
  return extra == 0 ? moved : torch::cat({moved, points.narrow(2, 3, extra)}, 2);
}

/// The largest of each channel of the last point layer over all points: [B, N, channels] → [B, C].
/// In training the last layer, by far the widest, is fused with the maximum.
torch::Tensor largest_point_features(Mlp& point, const torch::Tensor& points) {
  const auto layers = point->children();
  auto& last = *layers.back()->as<DenseImpl>();
  const bool fused = point->is_training() && fits_training_kernels(points) && last.plan().norm &&
                     last.plan().activation == Activation::none && last.plan().in < last.plan().out;
  if (!fused) return max_over_points(point(points));
  auto features = points;
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    features = layers[i]->as<DenseImpl>()->forward(features);
  }
  const auto rows = features.reshape({-1, last.plan().in});
  return max_of_linear(features, fold_normalisation(rows, last.linear(), last.norm()));
}

}  // namespace

TNetImpl::TNetImpl(const TNetPlan& plan) {
  point_ = register_module("point", Mlp(plan.point));
  global_ = register_module("global", Mlp(plan.global));
}

torch::Tensor TNetImpl::forward(const torch::Tensor& points) {
  return near_identity(global_(largest_point_features(point_, points)));
}

AlignmentNetImpl::AlignmentNetImpl(const AlignmentPlan& plan) {
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

}  // namespace pointtree::model

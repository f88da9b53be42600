// SPDX-License-Identifier: Apache-2.0
#include "plain_network.hpp"

#include <ATen/TensorOperators.h>

#include "pointtree/inference/network_plan.hpp"

namespace pointtree::training {

namespace {

namespace nn = torch::nn;

nn::Conv1d map(std::int64_t in, std::int64_t out) {
  return nn::Conv1d(nn::Conv1dOptions(in, out, 1));
}

}  // namespace

PlainNetworkImpl::PlainNetworkImpl(std::int64_t points, std::int64_t classes)
    : alignment_(map(3, 128), nn::BatchNorm1d(128), nn::ReLU(), map(128, 256), nn::BatchNorm1d(256),
                 nn::ReLU(), map(256, 1024), nn::BatchNorm1d(1024)),
      alignment_head_(nn::Linear(1024, 512), nn::BatchNorm1d(512), nn::ReLU(), nn::Linear(512, 256),
                      nn::BatchNorm1d(256), nn::ReLU(), nn::Linear(256, 9)),
      leaf_(map(3, 1024), nn::BatchNorm1d(1024), nn::PReLU(), map(1024, 32), nn::BatchNorm1d(32)) {
  register_module("alignment", alignment_);
  register_module("alignment_head", alignment_head_);
  register_module("leaf", leaf_);
  int depth = 0;
  while ((std::int64_t{1} << depth) < points) ++depth;
  const auto widths = inference::level_widths(depth, 32, 4096);
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    levels_.emplace_back(map(widths[l], widths[l + 1]), nn::BatchNorm1d(widths[l + 1]));
    register_module("level" + std::to_string(l), levels_.back());
  }
  const auto root = widths.back();
  head_ = register_module(
      "head", nn::Sequential(nn::Linear(root, root / 4), nn::BatchNorm1d(root / 4), nn::PReLU(),
                             nn::Linear(root / 4, root / 8), nn::BatchNorm1d(root / 8), nn::PReLU(),
                             nn::Linear(root / 8, classes)));
}

torch::Tensor PlainNetworkImpl::forward(const torch::Tensor& points,
                                        const torch::Tensor& leaf_order) {
  const auto map3 =
      alignment_head_->forward(std::get<0>(alignment_->forward(points.transpose(1, 2)).max(2)));
  const auto aligned = points.bmm(map3.view({-1, 3, 3}) + torch::eye(3));
  auto features = leaf_->forward(aligned.transpose(1, 2));
  features = features.gather(2, leaf_order.unsqueeze(1).expand({-1, features.size(1), -1}));
  for (auto& level : levels_) {
    const auto mapped = level->forward(features);
    features = std::get<0>(mapped.view({mapped.size(0), mapped.size(1), -1, 2}).max(3));
  }
  return head_->forward(features.squeeze(2));
}

}  // namespace pointtree::training

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/network/network.hpp"

#include <sstream>
#include <stdexcept>

namespace pointtree::network {

BlockImpl::BlockImpl(const inference::BlockPlan& plan) {
  encoder_ = register_module("encoder", Encoder(plan.encoder));
  decoder_ = register_module("decoder", Decoder(plan.decoder));
}

BlockImpl::Output BlockImpl::forward(const torch::Tensor& points) {
  const auto features = encoder_(points);
  return {decoder_(features), features.back().squeeze(1)};
}

PointTreeNetImpl::PointTreeNetImpl(const inference::ModelConfig& config)
    : plan_(inference::plan_network(config)) {
  const double dropout = config.head_dropout;
  if (plan_.alignment) alignment_ = register_module("alignment", AlignmentNet(*plan_.alignment));
  if (!plan_.blocks.empty()) {
    auto blocks = register_module("blocks", std::make_shared<torch::nn::Module>());
    for (std::size_t i = 0; i < plan_.blocks.size(); ++i) {
      blocks_.push_back(blocks->register_module(std::to_string(i), Block(plan_.blocks[i])));
    }
  }
  encoder_ = register_module("encoder", Encoder(plan_.encoder));
  if (!plan_.level_poolings.empty()) {
    auto level_poolings = register_module("readouts", std::make_shared<torch::nn::Module>());
    for (std::size_t i = 0; i < plan_.level_poolings.size(); ++i) {
      level_poolings_.push_back(
          level_poolings->register_module(std::to_string(i), Dense(plan_.level_poolings[i].map)));
    }
  }
  if (plan_.decoder) decoder_ = register_module("decoder", Decoder(*plan_.decoder));
  head_ = register_module("head", Mlp(plan_.head, dropout));
  if (!plan_.alignment_head.empty()) {
    alignment_head_ = register_module("alignment_head", Mlp(plan_.alignment_head, dropout));
  }
  if (!plan_.block_head.empty()) {
    block_head_ = register_module("block_head", Mlp(plan_.block_head, dropout));
  }
}

NetworkOutput PointTreeNetImpl::forward(const torch::Tensor& points, const torch::Tensor& owner) {
  if (points.dim() != 3 || points.size(1) != config().points ||
      points.size(2) != config().channels()) {
    std::ostringstream message;
    message << "network input: expected [batch, " << config().points << ", " << config().channels()
            << "], found " << points.sizes();
    throw std::invalid_argument(message.str());
  }
  NetworkOutput output;
  auto features = points;
  if (alignment_) {
    auto aligned = alignment_(points);
    features = aligned.points;
    if (alignment_head_ && is_training()) {
      output.auxiliary.push_back(alignment_head_(aligned.feature));
    }
  }
  features = run_blocks(features, owner, output);
  output.logits = decoder_ ? segment(features, owner) : classify(features);
  return output;
}

torch::Tensor PointTreeNetImpl::run_blocks(torch::Tensor points, const torch::Tensor& owner,
                                           NetworkOutput& output) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    auto [point_features, root_feature] = blocks_[i](points);
    if (owner.defined()) point_features = average_repeated(point_features, owner);
    if (i == 0 && block_head_ && is_training()) {
      output.auxiliary.push_back(block_head_(decoder_ ? point_features : root_feature));
    }
    // From the second block on, a block adds to what came before, as in a ResNet.
    points = i == 0 ? point_features : points + point_features;
  }
  return points;
}

torch::Tensor PointTreeNetImpl::classify(const torch::Tensor& points) {
  const auto features = encoder_(points);
  std::vector<torch::Tensor> seen{features.back().squeeze(1)};
  for (std::size_t i = 0; i < level_poolings_.size(); ++i) {
    seen.push_back(max_over_rows(level_poolings_[i], features[plan_.level_poolings[i].level]));
  }
  return head_(torch::cat(seen, 1));
}

torch::Tensor PointTreeNetImpl::segment(const torch::Tensor& points, const torch::Tensor& owner) {
  auto features = decoder_(encoder_(points));
  if (owner.defined()) features = average_repeated(features, owner);
  return head_(features);
}

}  // namespace pointtree::network

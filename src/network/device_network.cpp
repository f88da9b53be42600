// SPDX-License-Identifier: Apache-2.0
#include "device_network.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>

#include "pointtree/network/decoder.hpp"
#include "pointtree/network/encoder.hpp"

namespace pointtree::network {
namespace {

/// Below this depth a product costs next to nothing, whatever its precision.
constexpr std::size_t kThinDepth = 64;

at::Tensor near_identity(const at::Tensor& nine) {
  return nine.view({-1, 3, 3}) + at::eye(3, nine.options());
}

/// Row vectors: p ← p · M for the coordinates only.
at::Tensor move_points(const at::Tensor& points, const at::Tensor& map) {
  const auto extra = points.size(2) - 3;
  auto moved = at::matmul(points.narrow(2, 0, 3), map);
  return extra == 0 ? moved : at::cat({moved, points.narrow(2, 3, extra)}, 2);
}

at::Tensor average(const at::Tensor& features, const at::Tensor& owner) {
  return owner.defined() ? average_repeated(features.to(at::kFloat), owner) : features;
}

}  // namespace

DeviceNetwork::DeviceNetwork(const inference::NetworkPlan& plan,
                             const inference::engine::TensorReader& read, at::Device device,
                             at::ScalarType wide)
    : device_(device), wide_(wide) {
  if (plan.alignment) {
    alignment_.emplace();
    alignment_->point = maps("alignment.tnet.point", plan.alignment->tnet.point, false, read);
    alignment_->global = maps("alignment.tnet.global", plan.alignment->tnet.global, true, read);
    if (plan.alignment->encoder) {
      alignment_->encoder = encoder("alignment.encoder", *plan.alignment->encoder, read);
      alignment_->head = maps("alignment.head", plan.alignment->head, true, read);
    }
  }
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    const std::string name = "blocks." + std::to_string(i);
    const inference::BlockPlan& block = plan.blocks[i];
    blocks_.push_back({encoder(name + ".encoder", block.encoder, read),
                       decoder(name + ".decoder", block.decoder, block.encoder, read)});
  }
  encoder_ = encoder("encoder", plan.encoder, read);
  for (std::size_t i = 0; i < plan.level_poolings.size(); ++i) {
    const inference::LevelPoolingPlan& pooling = plan.level_poolings[i];
    level_poolings_.push_back(
        {pooling.level,
         map(inference::engine::fold("readouts." + std::to_string(i), pooling.map, read), false)});
  }
  if (plan.decoder) decoder_ = decoder("decoder", *plan.decoder, plan.encoder, read);
  head_ = maps("head", inference::MlpPlan(plan.head.begin(), plan.head.end() - 1), false, read);
  const std::string last = "head." + std::to_string(plan.head.size() - 1);
  head_.push_back(map(inference::engine::fold(last, plan.head.back(), read), true));
}

DeviceNetwork::Map DeviceNetwork::map(const inference::engine::LinearWeights& weights,
                                      bool exact) const {
  const auto type = exact || weights.in < kThinDepth ? at::kFloat : wide_;
  const auto out = static_cast<std::int64_t>(weights.out);
  const auto in = static_cast<std::int64_t>(weights.in);
  // from_blob takes no pointer to const; the copy that follows only reads.
  const auto tensor = [&](const std::vector<float>& values, at::IntArrayRef shape) {
    auto* data =
        const_cast<float*>(values.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    return at::from_blob(data, shape, at::kFloat).to(device_, type, false, true);
  };
  return {tensor(weights.weight, {out, in}), tensor(weights.bias, {out}), weights.slope};
}

DeviceNetwork::Maps DeviceNetwork::maps(const std::string& name, const inference::MlpPlan& plan,
                                        bool exact,
                                        const inference::engine::TensorReader& read) const {
  Maps maps;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    maps.push_back(
        map(inference::engine::fold(name + "." + std::to_string(i), plan[i], read), exact));
  }
  return maps;
}

DeviceNetwork::Encoder DeviceNetwork::encoder(const std::string& name,
                                              const inference::EncoderPlan& plan,
                                              const inference::engine::TensorReader& read) const {
  Encoder encoder{plan.leaf.front().in, maps(name + ".leaf", plan.leaf, false, read), {}};
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const inference::LevelPlan& level = plan.levels[l];
    encoder.levels.push_back(
        {std::nullopt, level.merge == inference::Merge::concat_mlp,
         maps(name + ".shapes." + std::to_string(l), level.shape, false, read)});
    if (level.map) {
      encoder.levels.back().map = map(
          inference::engine::fold(name + ".levels." + std::to_string(l), *level.map, read), false);
    }
  }
  return encoder;
}

DeviceNetwork::Decoder DeviceNetwork::decoder(const std::string& name,
                                              const inference::DecoderPlan& plan,
                                              const inference::EncoderPlan& encoder,
                                              const inference::engine::TensorReader& read) const {
  Decoder carries;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const inference::engine::LinearWeights both =
        inference::engine::fold(name + ".levels." + std::to_string(l), plan.levels[l], read);
    const auto own_width = static_cast<std::size_t>(encoder.widths[encoder.widths.size() - 2 - l]);
    inference::engine::LinearWeights own = columns(both, 0, own_width);
    own.bias = both.bias;
    own.slope = both.slope;
    carries.push_back({map(own, false), map(columns(both, own_width, both.in - own_width), false)});
  }
  return carries;
}

at::Tensor DeviceNetwork::activate(const Map& map, const at::Tensor& mapped) {
  if (map.slope == 1.0F) return mapped;
  return map.slope == 0.0F ? at::relu(mapped) : at::leaky_relu(mapped, map.slope);
}

at::Tensor DeviceNetwork::apply(const Map& map, const at::Tensor& input) {
  return activate(map, at::linear(input.to(map.weight.scalar_type()), map.weight, map.bias));
}

at::Tensor DeviceNetwork::apply(const Maps& maps, at::Tensor features) {
  for (const Map& map : maps) features = apply(map, features);
  return features;
}

at::Tensor DeviceNetwork::climb(const Level& level, const at::Tensor& children) {
  if (!level.map) return max_of_pairs(children);
  if (level.concatenates) {
    return apply(*level.map,
                 children.reshape({children.size(0), children.size(1) / 2, 2 * children.size(2)}));
  }
  return max_of_pairs(apply(*level.map, children));
}

std::vector<at::Tensor> DeviceNetwork::encode(const Encoder& encoder, const at::Tensor& points) {
  std::vector<at::Tensor> features{
      apply(encoder.leaf, points.narrow(2, 0, encoder.seen_by_leaves))};
  for (std::size_t l = 0; l < encoder.levels.size(); ++l) {
    const Level& level = encoder.levels[l];
    auto parents = climb(level, features.back());
    if (!level.shape.empty()) {
      const auto shapes = apply(level.shape, subtree_rows(points, l, encoder.seen_by_leaves));
      parents = parents + shapes.to(parents.scalar_type());
    }
    features.push_back(parents);
  }
  return features;
}

at::Tensor DeviceNetwork::decode(const Decoder& decoder, const std::vector<at::Tensor>& features) {
  auto carry = features.back();
  for (std::size_t l = 0; l < decoder.size(); ++l) {
    const Map& own_map = decoder[l].own;
    const auto& own = features[features.size() - 2 - l];
    const auto from_own =
        at::linear(own.to(own_map.weight.scalar_type()), own_map.weight, own_map.bias);
    // The parent's share of the product is the same for both children.
    const auto from_parent = apply(decoder[l].parent, carry).to(from_own.scalar_type());
    const auto pairs =
        from_own.view({own.size(0), own.size(1) / 2, 2, -1}) + from_parent.unsqueeze(2);
    carry = activate(own_map, pairs.view(from_own.sizes()));
  }
  return carry;
}

at::Tensor DeviceNetwork::pool_levels(const std::vector<at::Tensor>& features) const {
  std::vector<at::Tensor> seen{features.back().squeeze(1)};
  for (const LevelPooling& pooling : level_poolings_) {
    const auto largest = apply(pooling.map, features[pooling.level]).amax(1);
    seen.push_back(largest.to(seen.front().scalar_type()));
  }
  return at::cat(seen, 1);
}

at::Tensor DeviceNetwork::align(const at::Tensor& points) const {
  const auto largest = apply(alignment_->point, points).amax(1);
  auto moved = move_points(points, near_identity(apply(alignment_->global, largest)));
  if (alignment_->encoder) {
    const auto root = encode(*alignment_->encoder, moved).back().squeeze(1);
    moved = move_points(moved, near_identity(apply(alignment_->head, root)));
  }
  return moved;
}

at::Tensor DeviceNetwork::forward(const at::Tensor& points, const at::Tensor& owner) const {
  auto features = alignment_ ? align(points) : points;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    auto next = decode(block.decoder, encode(block.encoder, features));
    next = average(next, owner);
    features = i == 0 ? next : features + next;
  }
  const auto levels = encode(encoder_, features);
  if (!decoder_) return apply(head_, pool_levels(levels));
  return apply(head_, average(decode(*decoder_, levels), owner));
}

}  // namespace pointtree::network

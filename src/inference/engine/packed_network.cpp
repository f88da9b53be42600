// SPDX-License-Identifier: Apache-2.0
#include "packed_network.hpp"

#include <string>
#include <utility>

namespace pointtree::inference::engine {
namespace {

// Below this depth a product is bound by its epilogue, not by its weights.
constexpr std::size_t kThinDepth = 64;

// Up to this many weights stay in the second-level cache as float32; bfloat16 would only add the
// work of unpacking it.
constexpr std::size_t kResidentWeights = std::size_t{1} << 18;

// The precision in which a layer is packed where `wanted` is asked for.
Precision layer_precision(const LinearWeights& weights, Precision wanted) {
  if (weights.in < kThinDepth) return Precision::float32;
  const bool resident = weights.in * weights.out <= kResidentWeights;
  return wanted == Precision::bfloat16 && resident ? Precision::float32 : wanted;
}

class Packer {
 public:
  Packer(Precision precision, const TensorReader& read) : precision_(precision), read_(read) {}

  PackedLinear linear(const std::string& name, const DensePlan& plan) {
    return pack(fold(name, plan, read_), precision_);
  }

  PackedMlp mlp(const std::string& name, const MlpPlan& plan) {
    PackedMlp layers;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      layers.push_back(linear(name + "." + std::to_string(i), plan[i]));
    }
    return layers;
  }

  // Begins with measurements of unlike sizes, the small ones as telling as the large: the first
  // layer stays exact.
  PackedMlp leaves(const std::string& name, const MlpPlan& plan) {
    PackedMlp layers = exact(name, {plan.front()});
    for (std::size_t i = 1; i < plan.size(); ++i) {
      layers.push_back(linear(name + "." + std::to_string(i), plan[i]));
    }
    return layers;
  }

  // Ends in a decision: the last layer stays exact.
  PackedMlp head(const std::string& name, const MlpPlan& plan) {
    PackedMlp layers = mlp(name, MlpPlan(plan.begin(), plan.end() - 1));
    const std::string last = name + "." + std::to_string(plan.size() - 1);
    layers.push_back(pack(fold(last, plan.back(), read_), Precision::float32));
    return layers;
  }

  // All of it in float32.
  PackedMlp exact(const std::string& name, const MlpPlan& plan) {
    const Precision precision = std::exchange(precision_, Precision::float32);
    PackedMlp layers = mlp(name, plan);
    precision_ = precision;
    return layers;
  }

  PackedEncoder encoder(const std::string& name, const EncoderPlan& plan) {
    PackedEncoder packed;
    packed.leaf = leaves(name + ".leaf", plan.leaf);
    packed.widths.assign(plan.widths.begin(), plan.widths.end());
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const LevelPlan& level = plan.levels[l];
      PackedLevel& target = packed.levels.emplace_back();
      target.concatenates = level.merge == Merge::concat_mlp;
      if (level.map) target.map = linear(name + ".levels." + std::to_string(l), *level.map);
      target.shape = mlp(name + ".shapes." + std::to_string(l), level.shape);
    }
    return packed;
  }

  PackedDecoder decoder(const std::string& name, const DecoderPlan& plan,
                        const EncoderPlan& encoder) {
    PackedDecoder packed;
    packed.width = static_cast<std::size_t>(plan.width);
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const LinearWeights both = fold(name + ".levels." + std::to_string(l), plan.levels[l], read_);
      const auto own_width =
          static_cast<std::size_t>(encoder.widths[encoder.widths.size() - 2 - l]);
      LinearWeights own = columns(both, 0, own_width);
      own.bias = both.bias;
      own.slope = both.slope;
      const LinearWeights parent = columns(both, own_width, both.in - own_width);
      packed.levels.push_back({pack(own, precision_), pack(parent, precision_)});
    }
    return packed;
  }

  PackedAlignment alignment(const std::string& name, const AlignmentPlan& plan) {
    PackedAlignment packed;
    packed.point = mlp(name + ".tnet.point", plan.tnet.point);
    // Ends in a 3×3 map that moves every point.
    packed.global = exact(name + ".tnet.global", plan.tnet.global);
    if (plan.encoder) {
      packed.encoder = encoder(name + ".encoder", *plan.encoder);
      packed.head = exact(name + ".head", plan.head);
    }
    return packed;
  }

  PackedBlock block(const std::string& name, const BlockPlan& plan) {
    PackedBlock packed;
    packed.encoder = encoder(name + ".encoder", plan.encoder);
    packed.decoder = decoder(name + ".decoder", plan.decoder, plan.encoder);
    return packed;
  }

  std::size_t weight_bytes() const { return weight_bytes_; }

 private:
  PackedLinear pack(const LinearWeights& weights, Precision precision) {
    PackedLinear packed(weights, layer_precision(weights, precision));
    weight_bytes_ += packed.weight_bytes();
    return packed;
  }

  Precision precision_;
  const TensorReader& read_;
  std::size_t weight_bytes_ = 0;
};

}  // namespace

PackedNetwork pack_network(const NetworkPlan& plan, Precision precision, const TensorReader& read) {
  Packer packer(precision, read);
  PackedNetwork packed;
  packed.config = plan.config;
  if (plan.alignment) packed.alignment = packer.alignment("alignment", *plan.alignment);
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    packed.blocks.push_back(packer.block("blocks." + std::to_string(i), plan.blocks[i]));
  }
  packed.encoder = packer.encoder("encoder", plan.encoder);
  for (std::size_t i = 0; i < plan.level_poolings.size(); ++i) {
    const LevelPoolingPlan& pooling = plan.level_poolings[i];
    PackedLevelPooling& target = packed.level_poolings.emplace_back();
    target.level = pooling.level;
    target.map.push_back(packer.linear("readouts." + std::to_string(i), pooling.map));
  }
  if (plan.decoder) packed.decoder = packer.decoder("decoder", *plan.decoder, plan.encoder);
  packed.head = packer.head("head", plan.head);
  packed.weight_bytes = packer.weight_bytes();
  return packed;
}

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/network_plan.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/subtree_shapes.hpp"

namespace pointtree::inference {
namespace {

using Width = std::int64_t;

// Subtrees of fewer points carry little information; four nodes below the root are the fewest over
// which a maximum adds to the root's feature.
constexpr std::size_t kFirstPooledLevel = 3;
constexpr std::size_t kLevelsAbovePooled = 2;

Width scaled(const ModelConfig& config, Width width) {
  return std::max<Width>(1, std::llround(static_cast<double>(width) * config.width));
}

/// Hidden layers with normalisation and activation; the last one is bare.
MlpPlan plan_head(const std::vector<Width>& widths, Activation activation = Activation::prelu) {
  MlpPlan plan;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const bool last = i + 2 == widths.size();
    plan.push_back({widths[i], widths[i + 1], !last, last ? Activation::none : activation});
  }
  return plan;
}

MlpPlan plan_cloud_head(Width feature, Width outputs) {
  return plan_head({feature, std::max<Width>(1, std::min<Width>(1024, feature / 2)),
                    std::max<Width>(1, std::min<Width>(512, feature / 4)), outputs});
}

MlpPlan plan_point_head(Width feature, Width outputs) {
  return plan_head(
      {feature, std::max<Width>(1, feature / 2), std::max<Width>(1, feature / 4), outputs});
}

MlpPlan plan_leaf(Width in, Width hidden, Width out) {
  return {{in, hidden, true, Activation::prelu}, {hidden, out, true, Activation::none}};
}

LevelPlan plan_level(const ModelConfig& config, Width in, Width out, bool slim) {
  LevelPlan level;
  level.merge = config.merge;
  if (config.merge == Merge::concat_mlp) {
    level.map = DensePlan{2 * in, out, true, Activation::prelu};
  } else if (!slim || in != out) {
    level.map = DensePlan{in, out, true, Activation::none};
  }
  return level;
}

struct EncoderSize {
  Width leaf_width;
  Width max_width;
  Width leaf_hidden;
  bool slim;  // equal-width maps are left out
};

std::vector<Width> widths_of(const ModelConfig& config, const EncoderSize& size) {
  if (config.level_growth == 0.0) {
    return level_widths(config.depth(), size.leaf_width, size.max_width);
  }
  return growing_widths(config.depth(), size.leaf_width, size.max_width, config.level_growth);
}

bool has_shape(Width points) { return points >= geometry::kSmallestSubtree; }

EncoderPlan plan_encoder(const ModelConfig& config, Width in, const EncoderSize& size) {
  EncoderPlan plan;
  const Width shapes = config.features.subtree_shapes ? geometry::kSubtreeChannels : 0;
  plan.widths = widths_of(config, size);
  plan.leaf = plan_leaf(in - shapes, size.leaf_hidden, size.leaf_width);
  for (std::size_t l = 0; l + 1 < plan.widths.size(); ++l) {
    const Width out = plan.widths[l + 1];
    plan.levels.push_back(plan_level(config, plan.widths[l], out, size.slim));
    const bool root = l + 2 == plan.widths.size();
    if (shapes > 0 && has_shape(Width{2} << l) && (!root || config.features.proportions)) {
      plan.levels.back().shape = plan_leaf(shapes, size.leaf_hidden, out);
    }
  }
  return plan;
}

EncoderPlan plan_main_encoder(const ModelConfig& config, Width in) {
  return plan_encoder(config, in,
                      {scaled(config, config.leaf_width), scaled(config, config.max_width),
                       scaled(config, config.leaf_hidden), false});
}

/// Half the main encoder's widths, few hidden units at the leaves and no maps between equal widths.
EncoderPlan plan_alignment_encoder(const ModelConfig& config) {
  const Width leaf_width = std::max<Width>(1, scaled(config, config.leaf_width) / 2);
  const Width max_width = std::max(leaf_width, scaled(config, config.max_width) / 2);
  return plan_encoder(config, config.channels(), {leaf_width, max_width, 4 * leaf_width, true});
}

DecoderPlan plan_decoder(const EncoderPlan& encoder, Width carry_width,
                         Activation activation = Activation::none) {
  DecoderPlan plan;
  Width carry = encoder.widths.back();
  for (std::size_t l = encoder.widths.size() - 1; l-- > 0;) {
    const Width out = std::max(carry_width, encoder.widths[l]);
    plan.levels.push_back({encoder.widths[l] + carry, out, true, activation});
    carry = out;
  }
  plan.width = carry;
  return plan;
}

std::vector<LevelPoolingPlan> plan_level_poolings(const ModelConfig& config,
                                                  const EncoderPlan& encoder) {
  std::vector<LevelPoolingPlan> plans;
  if (config.level_pooling_width == 0) return plans;
  const Width out = scaled(config, config.level_pooling_width);
  for (std::size_t l = kFirstPooledLevel; l + kLevelsAbovePooled < encoder.widths.size(); ++l) {
    plans.push_back({l, {encoder.widths[l], out, true, Activation::none}});
  }
  return plans;
}

TNetPlan plan_tnet(const ModelConfig& config) {
  const Width wide = scaled(config, 1024);
  const Width first = scaled(config, 128);
  const Width second = scaled(config, 256);
  TNetPlan plan;
  plan.point = {{config.channels(), first, true, Activation::relu},
                {first, second, true, Activation::relu},
                {second, wide, true, Activation::none}};
  plan.global = plan_head({wide, scaled(config, 512), scaled(config, 256), 9}, Activation::relu);
  return plan;
}

AlignmentPlan plan_alignment(const ModelConfig& config) {
  AlignmentPlan plan;
  plan.tnet = plan_tnet(config);
  if (config.alignment == Alignment::tree) {
    plan.encoder = plan_alignment_encoder(config);
    plan.head = plan_cloud_head(plan.encoder->widths.back(), 9);
  }
  return plan;
}

Width block_carry_width(const ModelConfig& config) {
  return config.task == Task::classification
             ? 8 * scaled(config, config.leaf_width)
             : std::max<Width>(1, scaled(config, config.max_width) / 16);
}

BlockPlan plan_block(const ModelConfig& config, Width in) {
  BlockPlan plan;
  plan.encoder = plan_main_encoder(config, in);
  plan.decoder = plan_decoder(plan.encoder, block_carry_width(config));
  return plan;
}

/// Collects dense layers with their module paths.
class Placer {
 public:
  explicit Placer(Width points) : points_(points) {}

  void dense(const std::string& name, const DensePlan& plan, Width positions) {
    layers_.push_back({name, plan, positions, training_only_});
  }

  void mlp(const std::string& name, const MlpPlan& plan, Width positions) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      dense(name + "." + std::to_string(i), plan[i], positions);
    }
  }

  void encoder(const std::string& name, const EncoderPlan& plan) {
    mlp(name + ".leaf", plan.leaf, points_);
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const LevelPlan& level = plan.levels[l];
      const Width children = points_ >> l;
      if (level.map) {
        dense(name + ".levels." + std::to_string(l), *level.map,
              level.merge == Merge::max ? children : children / 2);
      }
      mlp(name + ".shapes." + std::to_string(l), level.shape, children / 2);
    }
  }

  void decoder(const std::string& name, const DecoderPlan& plan) {
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      dense(name + ".levels." + std::to_string(l), plan.levels[l], Width{2} << l);
    }
  }

  void alignment(const AlignmentPlan& plan) {
    mlp("alignment.tnet.point", plan.tnet.point, points_);
    mlp("alignment.tnet.global", plan.tnet.global, 1);
    if (plan.encoder) encoder("alignment.encoder", *plan.encoder);
    mlp("alignment.head", plan.head, 1);
  }

  void training_only() { training_only_ = true; }

  std::vector<PlacedDense> take() { return std::move(layers_); }

 private:
  Width points_;
  bool training_only_ = false;
  std::vector<PlacedDense> layers_;
};

}  // namespace

std::vector<Width> level_widths(int depth, Width leaf_width, Width max_width) {
  std::vector<Width> widths{leaf_width};
  for (int l = 1; l <= depth; ++l) {
    const bool doubles = l < 5 || l % 2 == 0;
    widths.push_back(std::min(max_width, doubles ? 2 * widths.back() : widths.back()));
  }
  return widths;
}

std::vector<Width> growing_widths(int depth, Width leaf_width, Width max_width, double growth) {
  constexpr double kStep = 8.0;
  std::vector<Width> widths{leaf_width};
  for (int l = 1; l <= depth; ++l) {
    const double exact = static_cast<double>(leaf_width) * std::pow(growth, l);
    const double stepped = kStep * std::round(std::min(exact, 1e9) / kStep);
    widths.push_back(std::clamp(static_cast<Width>(stepped), widths.back(), max_width));
  }
  return widths;
}

NetworkPlan plan_network(const ModelConfig& config) {
  validate(config);
  NetworkPlan plan;
  plan.config = config;
  if (config.alignment != Alignment::none) plan.alignment = plan_alignment(config);
  Width in = config.channels();
  if (config.variant == Variant::rns) {
    for (int i = 0; i < config.blocks; ++i) {
      plan.blocks.push_back(plan_block(config, in));
      in = plan.blocks.back().decoder.width;
    }
  }
  plan.encoder = plan_main_encoder(config, in);
  if (config.task == Task::classification) {
    plan.level_poolings = plan_level_poolings(config, plan.encoder);
    Width seen = plan.encoder.widths.back();
    for (const LevelPoolingPlan& pooling : plan.level_poolings) seen += pooling.map.out;
    plan.head = plan_cloud_head(seen, config.classes);
    if (plan.alignment && plan.alignment->encoder) {
      plan.alignment_head = plan_cloud_head(plan.alignment->encoder->widths.back(), config.classes);
    }
    if (!plan.blocks.empty()) {
      plan.block_head = plan_cloud_head(plan.blocks.front().encoder.widths.back(), config.classes);
    }
  } else {
    plan.decoder =
        plan_decoder(plan.encoder, scaled(config, config.carry_width), config.carry_activation);
    plan.head = plan_point_head(plan.decoder->width, config.classes);
    if (!plan.blocks.empty()) {
      plan.block_head = plan_point_head(plan.blocks.front().decoder.width, config.classes);
    }
  }
  return plan;
}

std::vector<PlacedDense> dense_layers(const NetworkPlan& plan) {
  const Width points = plan.config.points;
  const Width head_positions = plan.config.task == Task::classification ? 1 : points;
  Placer placer(points);
  if (plan.alignment) placer.alignment(*plan.alignment);
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    const std::string name = "blocks." + std::to_string(i);
    placer.encoder(name + ".encoder", plan.blocks[i].encoder);
    placer.decoder(name + ".decoder", plan.blocks[i].decoder);
  }
  placer.encoder("encoder", plan.encoder);
  for (std::size_t i = 0; i < plan.level_poolings.size(); ++i) {
    const LevelPoolingPlan& pooling = plan.level_poolings[i];
    placer.dense("readouts." + std::to_string(i), pooling.map, points >> pooling.level);
  }
  if (plan.decoder) placer.decoder("decoder", *plan.decoder);
  placer.mlp("head", plan.head, head_positions);
  placer.training_only();
  placer.mlp("alignment_head", plan.alignment_head, 1);
  placer.mlp("block_head", plan.block_head, head_positions);
  return placer.take();
}

std::vector<TensorPlan> tensors(const PlacedDense& layer) {
  const DensePlan& dense = layer.dense;
  std::vector<TensorPlan> list{{layer.name + ".linear.weight", {dense.out, dense.in}, true},
                               {layer.name + ".linear.bias", {dense.out}, true}};
  if (dense.norm) {
    list.push_back({layer.name + ".norm.weight", {dense.out}, true});
    list.push_back({layer.name + ".norm.bias", {dense.out}, true});
    list.push_back({layer.name + ".norm.running_mean", {dense.out}, false});
    list.push_back({layer.name + ".norm.running_var", {dense.out}, false});
  }
  if (dense.activation == Activation::prelu) {
    list.push_back({layer.name + ".activation.weight", {1}, true});
  }
  return list;
}

Width parameters(const DensePlan& dense) {
  return dense.in * dense.out + dense.out + (dense.norm ? 2 * dense.out : 0) +
         (dense.activation == Activation::prelu ? 1 : 0);
}

}  // namespace pointtree::inference

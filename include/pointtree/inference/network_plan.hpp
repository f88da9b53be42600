// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pointtree/inference/model_config.hpp"

namespace pointtree::inference {

/// A linear map with bias, optionally followed by batch normalisation and a non-linearity.
struct DensePlan {
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool norm = true;
  Activation activation = Activation::none;
};

/// Dense layers one after the other.
using MlpPlan = std::vector<DensePlan>;

/// One step from children to parents.
struct LevelPlan {
  std::optional<DensePlan> map;  ///< absent: the children's features are merged as they are
  Merge merge = Merge::max;
  MlpPlan shape;  ///< of the parents' subtree shapes, added to their features; empty: none
};

/// Bottom-up flow: widths[l] is the feature width l levels above the leaves.
struct EncoderPlan {
  MlpPlan leaf;
  std::vector<LevelPlan> levels;
  std::vector<std::int64_t> widths;
};

/// A level's input to the head of a classifier: the largest of each mapped feature over its nodes.
struct LevelPoolingPlan {
  std::size_t level = 0;  ///< levels above the leaves
  DensePlan map;
};

/// Top-down flow from the root's children (first) to the leaves (last); inputs are [own feature,
/// parent's carry].
struct DecoderPlan {
  std::vector<DensePlan> levels;
  std::int64_t width = 0;  ///< of the point features at the leaves
};

/// Per-point layers, a maximum over the points, then layers ending in 9 numbers.
struct TNetPlan {
  MlpPlan point;
  MlpPlan global;
};

/// The alignment network; with a tree encoder the T-Net comes before it.
struct AlignmentPlan {
  TNetPlan tnet;
  std::optional<EncoderPlan> encoder;
  MlpPlan head;  ///< root feature of the tree encoder → 9 numbers; empty without one
};

/// An rns block: points in, point features out.
struct BlockPlan {
  EncoderPlan encoder;
  DecoderPlan decoder;
};

/// The shape of every layer of a network, without any weights; networks, descriptions, bundles and
/// the inference engine are all made from it.
struct NetworkPlan {
  ModelConfig config;
  std::optional<AlignmentPlan> alignment;
  std::vector<BlockPlan> blocks;
  EncoderPlan encoder;
  std::vector<LevelPoolingPlan>
      level_poolings;  ///< appended to the root's feature, from the leaves up
  std::optional<DecoderPlan> decoder;
  MlpPlan head;
  MlpPlan alignment_head;  ///< training only: classifies the tree alignment's root feature
  MlpPlan block_head;      ///< training only: classifies the first block's root or point features
};

/// Feature widths from leaves to root: doubled at each of the first four steps, then at every
/// second, up to the cap.
std::vector<std::int64_t> level_widths(int depth, std::int64_t leaf_width, std::int64_t max_width);

/// The same with a constant factor per step; widths are multiples of 8 unless the ends are not.
std::vector<std::int64_t> growing_widths(int depth, std::int64_t leaf_width, std::int64_t max_width,
                                         double growth);

/// Lays out a network; validates the configuration first.
NetworkPlan plan_network(const ModelConfig& config);

/// One dense layer, where it is in the network, and how many rows of a single cloud it is applied
/// to.
struct PlacedDense {
  std::string name;  ///< module path such as `encoder.levels.3`
  DensePlan dense;
  std::int64_t positions;  ///< rows per cloud
  bool training_only;
};

/// Every dense layer in the order of evaluation.
std::vector<PlacedDense> dense_layers(const NetworkPlan& plan);

/// Name and shape of one stored tensor.
struct TensorPlan {
  std::string name;  ///< such as `encoder.levels.3.linear.weight`
  std::vector<std::int64_t> shape;
  bool trained;  ///< false for the running statistics of batch normalisation
};

/// The tensors of one dense layer.
std::vector<TensorPlan> tensors(const PlacedDense& layer);

/// Trained numbers in one dense layer.
std::int64_t parameters(const DensePlan& dense);

}  // namespace pointtree::inference

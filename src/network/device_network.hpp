// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "inference/engine/folding.hpp"

namespace pointtree::network {

/// A folded network in LibTorch's operations, for devices that these know and our kernels do not.
///
/// Wide maps are in `wide` precision, half on a GPU; thin ones and those that end in a decision or
/// a map for all points are in float32, as in the CPU engine. Runs no operation whose shape or
/// choice depends on values, so that it can be captured in a graph.
class DeviceNetwork {
 public:
  DeviceNetwork(const inference::NetworkPlan& plan, const inference::engine::TensorReader& read,
                at::Device device, at::ScalarType wide);

  /// Points [B, 2^d, channels] in leaf order, float32; `owner` [B, 2^d] int64 as in
  /// PointTreeNet::forward, or undefined. Logits in float32: [B, classes] or [B, 2^d, classes].
  at::Tensor forward(const at::Tensor& points, const at::Tensor& owner) const;

 private:
  struct Map {
    at::Tensor weight;  ///< [out, in]
    at::Tensor bias;    ///< [out]
    float slope;        ///< of the activation below zero
  };
  using Maps = std::vector<Map>;
  struct Level {
    std::optional<Map> map;
    bool concatenates;
    Maps shape;
  };
  struct Encoder {
    std::int64_t seen_by_leaves;
    Maps leaf;
    std::vector<Level> levels;
  };
  struct Carry {
    Map own;
    Map parent;
  };
  using Decoder = std::vector<Carry>;
  struct LevelPooling {
    std::size_t level;
    Map map;
  };
  struct Alignment {
    Maps point;
    Maps global;
    std::optional<Encoder> encoder;
    Maps head;
  };
  struct Block {
    Encoder encoder;
    Decoder decoder;
  };

  Map map(const inference::engine::LinearWeights& weights, bool exact) const;
  Maps maps(const std::string& name, const inference::MlpPlan& plan, bool exact,
            const inference::engine::TensorReader& read) const;
  Encoder encoder(const std::string& name, const inference::EncoderPlan& plan,
                  const inference::engine::TensorReader& read) const;
  Decoder decoder(const std::string& name, const inference::DecoderPlan& plan,
                  const inference::EncoderPlan& encoder,
                  const inference::engine::TensorReader& read) const;

  static at::Tensor activate(const Map& map, const at::Tensor& mapped);
  static at::Tensor apply(const Map& map, const at::Tensor& input);
  static at::Tensor apply(const Maps& maps, at::Tensor features);
  static at::Tensor climb(const Level& level, const at::Tensor& children);
  static std::vector<at::Tensor> encode(const Encoder& encoder, const at::Tensor& points);
  static at::Tensor decode(const Decoder& decoder, const std::vector<at::Tensor>& features);
  at::Tensor pool_levels(const std::vector<at::Tensor>& features) const;
  at::Tensor align(const at::Tensor& points) const;

  at::Device device_;
  at::ScalarType wide_;
  std::optional<Alignment> alignment_;
  std::vector<Block> blocks_;
  Encoder encoder_;
  std::vector<LevelPooling> level_poolings_;
  std::optional<Decoder> decoder_;
  Maps head_;
};

}  // namespace pointtree::network

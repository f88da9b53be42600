// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "training/train_config.hpp"

namespace pointtree::training {

/// Tensors with their names, in a fixed order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// The parameters of a network, sharing memory with it.
template <typename Network>
NamedTensors parameters_of(const Network& network) {
  NamedTensors named;
  for (const auto& item : network->named_parameters()) named.emplace_back(item.key(), item.value());
  return named;
}

/// Adam or AdamW over a network's parameters, one fused pass over memory per step.
class Adam {
 public:
  /// Weight decay touches matrices only: parameters of one dimension or none are spared.
  Adam(NamedTensors parameters, OptimizerConfig config);

  /// Forgets the gradients, so that the next backward pass allocates instead of adding.
  void clear_gradients();

  /// Scales the gradients down to the configured norm and returns the norm before; 0 where clipping
  /// is off.
  double clip_gradients();

  /// Applies the gradients; parameters without one are left alone.
  void step(double learning_rate);

  /// Steps taken so far.
  std::int64_t steps() const { return steps_; }

  /// The moments as `first.<name>` and `second.<name>`, sharing memory with the optimiser.
  NamedTensors state() const;

  /// Tells how many steps the moments (copied into state()'s tensors) stand for.
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  // Parameters that share one weight decay.
  struct Group {
    std::vector<std::size_t> members;
    double weight_decay;
  };

  NamedTensors parameters_;
  OptimizerConfig config_;
  std::vector<at::Tensor> first_;
  std::vector<at::Tensor> second_;
  std::vector<Group> groups_;
  std::int64_t steps_ = 0;
};

/// Exponential average of a network's weights and statistics over the steps.
class AveragedWeights {
 public:
  /// Starts at the present values.
  AveragedWeights(const NamedTensors& values, double decay);

  /// Moves the average towards the present values. Early steps use the smaller decay (1 + n) / (10
  /// + n), so that the random start is forgotten.
  void update(std::int64_t step);

  /// The averages, in the order of the values, sharing memory.
  const NamedTensors& averages() const { return averages_; }

  /// Exchanges the averages with the network's values; twice restores both.
  void swap();

 private:
  std::vector<at::Tensor> values_;
  NamedTensors averages_;
  double decay_;
};

}  // namespace pointtree::training

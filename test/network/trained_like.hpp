// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/utils.h>

#include "pointtree/network/network.hpp"

namespace pointtree::network {

/// A network in evaluation mode whose normalisation and activations are not the initial ones.
inline PointTreeNet trained_like(const inference::ModelConfig& config, std::uint64_t seed) {
  torch::manual_seed(seed);
  PointTreeNet net(config);
  const torch::NoGradGuard no_grad;
  for (auto& item : net->named_buffers()) {
    if (item.key().find("running_mean") != std::string::npos) item.value().uniform_(-0.2, 0.2);
    if (item.key().find("running_var") != std::string::npos) item.value().uniform_(0.5, 2.0);
  }
  for (auto& item : net->named_parameters()) {
    const bool outside_linear = item.key().find(".linear.") == std::string::npos;
    if (outside_linear) item.value().add_(torch::empty_like(item.value()).uniform_(-0.1, 0.1));
  }
  net->eval();
  return net;
}

}  // namespace pointtree::network

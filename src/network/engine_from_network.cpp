// SPDX-License-Identifier: Apache-2.0
#include "network/engine_from_network.hpp"

#include <map>
#include <stdexcept>
#include <string>

#include "inference/engine/make_implementation.hpp"

namespace pointtree::network {
namespace {

using Tensors = std::map<std::string, torch::Tensor>;

Tensors tensors_of(const PointTreeNet& network) {
  Tensors tensors;
  for (const auto& item : network->named_parameters()) tensors[item.key()] = item.value();
  for (const auto& item : network->named_buffers()) tensors[item.key()] = item.value();
  return tensors;
}

std::vector<float> values_of(const Tensors& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw std::runtime_error("network: no tensor called " + name);
  const auto flat = found->second.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* values = flat.data_ptr<float>();
  return {values, values + flat.numel()};
}

}  // namespace

inference::Engine make_engine(const PointTreeNet& network,
                              const inference::EngineOptions& options) {
  const inference::ModelConfig& config = network->config();
  inference::EngineInfo info;
  info.name = "network in memory";
  for (int c = 0; c < config.extra_channels; ++c) info.channels.push_back(std::to_string(c));
  for (int c = 0; c < config.classes; ++c) {
    info.classes.push_back(std::to_string(c));
    info.colours.push_back({127, 127, 127});
  }
  const Tensors tensors = tensors_of(network);
  return inference::Engine(inference::engine::make_implementation(
      std::move(info), network->plan(), options,
      [&](const std::string& name) { return values_of(tensors, name); }));
}

}  // namespace pointtree::network

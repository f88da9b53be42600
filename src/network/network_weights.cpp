// SPDX-License-Identifier: Apache-2.0
#include "network/network_weights.hpp"

#include <torch/utils.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "inference/engine/make_implementation.hpp"

namespace pointtree::network {
namespace {

using Tensors = std::map<std::string, torch::Tensor>;

Tensors named_tensors(const PointTreeNet& network) {
  Tensors named;
  for (const auto& item : network->named_parameters()) named[item.key()] = item.value();
  for (const auto& item : network->named_buffers()) named[item.key()] = item.value();
  return named;
}

void fill_labels(inference::Manifest& manifest) {
  const auto colours =
      inference::distinct_colours(static_cast<std::size_t>(manifest.model.classes));
  while (manifest.classes.size() < colours.size()) {
    const std::size_t next = manifest.classes.size();
    manifest.classes.push_back({std::to_string(next), colours[next]});
  }
  while (manifest.channels.size() < static_cast<std::size_t>(manifest.model.extra_channels)) {
    manifest.channels.push_back("channel_" + std::to_string(manifest.channels.size()));
  }
}

std::vector<float> values_of(const Tensors& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw std::runtime_error("network: no tensor called " + name);
  const auto flat = found->second.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* values = flat.data_ptr<float>();
  return {values, values + flat.numel()};
}

}  // namespace

int copy_weights(const inference::Bundle& bundle, PointTreeNet& network) {
  const torch::NoGradGuard no_grad;
  auto named = named_tensors(network);
  const auto fits = [&](const inference::TensorPlan& stored) {
    const auto found = named.find(stored.name);
    return bundle.has(stored.name) && found != named.end() &&
           found->second.sizes() == torch::IntArrayRef(stored.shape);
  };
  int copied = 0;
  for (const inference::PlacedDense& layer : inference::dense_layers(bundle.plan())) {
    const auto stored = inference::tensors(layer);
    if (!std::all_of(stored.begin(), stored.end(), fits)) continue;
    for (const inference::TensorPlan& plan : stored) {
      const auto values = bundle.values(plan.name);
      named.at(plan.name).copy_(
          torch::from_blob(const_cast<float*>(values.data()), plan.shape, torch::kFloat32));
    }
    ++copied;
  }
  return copied;
}

PointTreeNet load_network(const inference::Bundle& bundle) {
  PointTreeNet network(bundle.manifest().model);
  copy_weights(bundle, network);
  network->eval();
  return network;
}

void save_network(const PointTreeNet& network, const std::filesystem::path& folder,
                  inference::Manifest manifest) {
  manifest.model = network->config();
  manifest.precision = inference::Precision::float32;
  fill_labels(manifest);
  const auto named = named_tensors(network);
  std::vector<torch::Tensor> alive;
  std::vector<io::TensorView> views;
  for (const inference::PlacedDense& layer : inference::dense_layers(network->plan())) {
    if (layer.training_only) continue;
    for (const inference::TensorPlan& plan : inference::tensors(layer)) {
      alive.push_back(named.at(plan.name).detach().to(torch::kCPU, torch::kFloat32).contiguous());
      const auto& tensor = alive.back();
      views.push_back({plan.name, io::DType::f32, plan.shape,
                       static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()});
    }
  }
  inference::write_bundle(folder, std::move(manifest), views);
}

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
  const Tensors tensors = named_tensors(network);
  return inference::Engine(inference::engine::make_implementation(
      std::move(info), network->plan(), options,
      [&](const std::string& name) { return values_of(tensors, name); }));
}

}  // namespace pointtree::network

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "inference/bundle.hpp"

namespace pointtree::reliability {

/// A classifier of a few thousand weights.
inline inference::ModelConfig small_model(int leaf_width = 4) {
  inference::ModelConfig config;
  config.points = 16;
  config.classes = 3;
  config.alignment = inference::Alignment::none;
  config.leaf_width = leaf_width;
  config.max_width = 4 * leaf_width;
  config.leaf_hidden = leaf_width;
  return config;
}

/// Writes a bundle whose name is `number` and whose weights are all `number`.
inline void write_numbered_bundle(const std::filesystem::path& folder, std::int64_t number,
                                  const inference::ModelConfig& config) {
  inference::Manifest manifest;
  manifest.name = std::to_string(number);
  manifest.model = config;
  manifest.training_data = manifest.training_terms = "none";
  for (const auto& colour : inference::distinct_colours(static_cast<std::size_t>(config.classes))) {
    manifest.classes.push_back({"class", colour});
  }
  std::vector<std::vector<float>> values;
  std::vector<io::TensorView> views;
  for (const auto& layer : inference::dense_layers(inference::plan_network(config))) {
    for (const auto& tensor : inference::tensors(layer)) {
      std::size_t count = 1;
      for (const auto extent : tensor.shape) count *= static_cast<std::size_t>(extent);
      values.emplace_back(count, static_cast<float>(number));
      views.push_back({tensor.name, io::DType::f32, tensor.shape,
                       reinterpret_cast<const std::byte*>(values.back().data()),
                       count * sizeof(float)});
    }
  }
  inference::write_bundle(folder, manifest, views);
}

/// The number of a bundle that is whole: name and every weight say the same. Throws what the reader
/// throws, and std::logic_error where they differ.
inline std::int64_t number_of(const std::filesystem::path& folder) {
  const inference::Bundle bundle(folder);
  const std::int64_t number = std::stoll(bundle.manifest().name);
  for (const auto& tensor : bundle.weights().tensors()) {
    for (const float value : bundle.values(tensor.name)) {
      if (value != static_cast<float>(number)) throw std::logic_error("a mixture of two bundles");
    }
  }
  return number;
}

}  // namespace pointtree::reliability

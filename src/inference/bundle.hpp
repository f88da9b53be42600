// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "inference/manifest.hpp"
#include "io/safetensors.hpp"
#include "pointtree/inference/network_plan.hpp"

namespace pointtree::inference {

/// A model folder, `model.yaml` + `weights.safetensors`, read and found to fit together.
///
/// Linear weights are stored as F32 or BF16, or as I8 [out, in] beside `<weight>_scale` F32 [out];
/// everything else is F32. Heads that only training needs may be left out. Names and shapes are
/// those of dense_layers() and tensors().
class Bundle {
 public:
  /// Maps and checks a bundle; throws std::runtime_error naming the file, the key, what was
  /// expected and found. No memory is spent on weights before all of them are known to fit.
  explicit Bundle(const std::filesystem::path& folder);

  const Manifest& manifest() const { return manifest_; }
  const NetworkPlan& plan() const { return plan_; }
  const io::SafetensorsFile& weights() const { return weights_; }

  /// Whether the bundle stores a tensor.
  bool has(const std::string& name) const { return weights_.find(name) != nullptr; }

  /// A stored tensor in float32, row-major; 8-bit weights are multiplied by their scales. Throws
  /// std::runtime_error where there is none of that name.
  std::vector<float> values(const std::string& name) const;

 private:
  Manifest manifest_;
  NetworkPlan plan_;
  io::SafetensorsFile weights_;
};

/// The folders of a bundle's further networks, each a bundle of its own; the engine answers with
/// the mean of all networks' probabilities.
std::vector<std::filesystem::path> ensemble_folders(const Bundle& bundle);

/// Writes both files, the manifest last, with the weights' size and checksum; creates the folder. A
/// bundle that replaces another does so as a whole; where the folder holds more or can't be
/// exchanged, file by file, and one left half-way is refused when read.
void write_bundle(const std::filesystem::path& folder, Manifest manifest,
                  const std::vector<io::TensorView>& tensors);

/// Stores a bundle's weights, and those of its ensemble, in another precision, training-only heads
/// left out. Throws
/// std::runtime_error where the source is not float32: what was rounded away does not come back.
void convert_bundle(const Bundle& source, const std::filesystem::path& folder, Precision precision);

}  // namespace pointtree::inference

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pointtree/inference/model_config.hpp"
#include "pointtree/inference/precision.hpp"

namespace pointtree::inference {

/// A class or part label as shown to people.
struct ClassInfo {
  std::string name;
  std::array<std::uint8_t, 3> colour{};  ///< red, green, blue
};

/// A figure measured with the bundle's weights.
struct Score {
  std::string metric;  ///< such as "overall accuracy"
  double value = 0.0;
  std::string data;     ///< what it was measured on, transformation included
  std::string command;  ///< that measures it again
};

/// `model.yaml`: the description of a bundle's weights.
struct Manifest {
  std::string name;
  std::string description;
  ModelConfig model;
  std::vector<ClassInfo> classes;     ///< model.classes of them
  std::vector<std::string> channels;  ///< names of the model.extra_channels
  std::string units = "metre";        ///< of the coordinates in training
  std::vector<std::string> ensemble;  ///< folders of the bundle with further networks
  std::string training_data;
  std::string training_terms;  ///< licence or terms of use of that data
  std::vector<Score> scores;
  Precision precision = Precision::float32;  ///< of the stored linear weights
  std::uint64_t weights_bytes = 0;
  std::string weights_sha256;
};

/// Reads and checks `model.yaml`; throws std::runtime_error naming the file, the key, what was
/// expected and found.
Manifest read_manifest(const std::filesystem::path& file);

/// Writes `model.yaml` atomically.
void write_manifest(const std::filesystem::path& file, const Manifest& manifest);

/// A distinct colour for each of `count` labels: hues apart by the golden angle.
std::vector<std::array<std::uint8_t, 3>> distinct_colours(std::size_t count);

}  // namespace pointtree::inference

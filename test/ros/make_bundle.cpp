// SPDX-License-Identifier: Apache-2.0

// Writes a model bundle with random weights: make_bundle FOLDER objects|blocks SEED
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "inference/small_configs.hpp"
#include "network/network_weights.hpp"
#include "network/trained_like.hpp"

namespace {

void make_bundle(const std::string& folder, bool segments, std::uint64_t seed) {
  using namespace pointtree::inference;  // NOLINT(google-build-using-namespace)
  using namespace pointtree::network;    // NOLINT(google-build-using-namespace)
  ModelConfig config = small_config();
  config.points = 64;
  if (segments) config.task = Task::segmentation;
  Manifest manifest;
  manifest.name = "random_" + std::to_string(seed);
  manifest.description = "random weights for tests";
  manifest.training_data = "none";
  manifest.training_terms = "none";
  save_network(trained_like(config, seed), folder, manifest);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: make_bundle FOLDER objects|blocks SEED\n";
    return 2;
  }
  try {
    make_bundle(argv[1], argv[2] == std::string("blocks"), std::stoull(argv[3]));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "inference/manifest.hpp"

#include "inference/description.hpp"
#include "memory_file.hpp"

/// A `model.yaml` is refused by its name, or describes a network that can be laid out.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_open<std::runtime_error>(data, size, [](const auto& path) {
    const auto manifest = inference::read_manifest(path);
    const auto cost = inference::cost(inference::plan_network(manifest.model));
    if (cost.parameters <= 0 || cost.multiply_adds <= 0) std::abort();
    if (manifest.classes.size() != static_cast<std::size_t>(manifest.model.classes)) std::abort();
  });
}

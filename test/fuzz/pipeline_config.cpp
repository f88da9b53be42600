// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline_config.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

/// Parameters are refused by the name of their source, or are without fault and survive writing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree::perception;  // NOLINT(google-build-using-namespace)
  try {
    const auto config =
        parse_config(std::string(reinterpret_cast<const char*>(data), size), "input.yaml");
    if (!validate(config).empty()) std::abort();
    const auto yaml = to_yaml(config);
    if (to_yaml(parse_config(yaml, "written")) != yaml) std::abort();
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).rfind("input.yaml: ", 0) != 0) std::abort();
  }
  return 0;
}

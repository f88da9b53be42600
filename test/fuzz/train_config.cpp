// SPDX-License-Identifier: Apache-2.0
#include "training/train_config.hpp"

#include <cstdlib>
#include <stdexcept>

/// A training configuration is refused with a std::invalid_argument, or survives writing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree::training;  // NOLINT(google-build-using-namespace)
  std::string yaml;
  try {
    yaml = to_yaml_text(parse_train_config(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const std::invalid_argument&) {
    return 0;
  }
  if (to_yaml_text(parse_train_config(yaml)) != yaml) std::abort();
  return 0;
}

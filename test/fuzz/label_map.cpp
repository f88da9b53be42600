// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "cli/ground_truth.hpp"
#include "memory_file.hpp"

/// What the numbers of labels mean is refused by the file's name, or leads to classes of the model.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pointtree;  // NOLINT(google-build-using-namespace)
  return fuzz::refuse_or_open<std::runtime_error>(data, size, [](const auto& path) {
    for (const auto& [number, class_id] : cli::read_label_map(path, {"car", "person", "tree"})) {
      if (class_id < cli::kForeignClass || class_id > 2) std::abort();
    }
  });
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "io/tensor_view.hpp"

namespace pointtree::io {

/// What the bytes of a safetensors file hold; the views point into those bytes.
struct SafetensorsContent {
  std::vector<TensorView> tensors;  ///< in the order of their data
  std::map<std::string, std::string> metadata;
};

/// Checks every name, format, shape and bound of a whole file in memory before a view is handed
/// out; throws std::runtime_error naming the source, the tensor, what was expected and what was
/// found.
SafetensorsContent parse_safetensors(const std::string& source, const std::byte* bytes,
                                     std::size_t size);

}  // namespace pointtree::io

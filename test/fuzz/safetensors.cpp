// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

/// A weights file is refused with a std::runtime_error, or all of its tensors lie within it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const auto content = pointtree::io::parse_safetensors("input", bytes, size);
    for (const auto& tensor : content.tensors) {
      if (tensor.data < bytes || tensor.data + tensor.bytes > bytes + size) std::abort();
    }
  } catch (const std::runtime_error&) {
    return 0;
  }
  return 0;
}

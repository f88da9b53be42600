// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pointtree::io {

/// Owned bytes.
using Bytes = std::vector<std::uint8_t>;

/// Read-only bytes in somebody else's memory.
struct ByteView {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;

  ByteView() = default;
  ByteView(const std::uint8_t* first, std::size_t count) : data(first), size(count) {}
  ByteView(const Bytes& bytes) : data(bytes.data()), size(bytes.size()) {}  // NOLINT: a view of it

  const std::uint8_t* begin() const { return data; }
  const std::uint8_t* end() const { return data + size; }

  /// The bytes as characters.
  std::string_view text() const {
    return size == 0 ? std::string_view()
                     : std::string_view(reinterpret_cast<const char*>(data), size);
  }
};

/// A view of a text's characters.
inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace pointtree::io

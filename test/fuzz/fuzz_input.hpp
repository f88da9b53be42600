// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::fuzz {

/// Ceilings low enough that libFuzzer's own memory limit tells an allocation that ignores them.
inline io::ReadLimits limits() {
  io::ReadLimits limits;
  limits.max_file_bytes = 1 << 20;
  limits.max_points = 1 << 16;
  limits.max_unpacked_bytes = 4 << 20;
  limits.max_open_bytes = 16 << 20;
  limits.max_bag_bytes = 16 << 20;
  return limits;
}

/// Runs a reader: it may refuse the input with a ReadError and nothing else.
template <typename Reader>
int refuse_or_read(const std::uint8_t* bytes, std::size_t size, Reader read) {
  try {
    read(io::ByteView(bytes, size));
  } catch (const io::ReadError&) {
    return 0;
  }
  return 0;
}

}  // namespace pointtree::fuzz

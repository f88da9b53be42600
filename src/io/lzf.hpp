// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pointtree/io/byte_view.hpp"

namespace pointtree::io {

/// No LZF stream grows by more than this factor: three bytes stand for at most 264.
inline constexpr std::size_t kLzfMaxRatio = 88;

/// Unpacks an LZF stream that must give exactly `size` bytes; throws ReadError otherwise.
Bytes lzf_unpack(ByteView packed, std::size_t size);

}  // namespace pointtree::io

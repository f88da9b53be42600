// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace pointtree::io {

/// SHA-256 of a block of memory: 64 lower-case hexadecimal digits.
std::string sha256(const void* data, std::size_t size);

}  // namespace pointtree::io

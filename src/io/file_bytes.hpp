// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>

#include "pointtree/io/byte_view.hpp"

namespace pointtree::io {

/// Reads a regular file; throws ReadError where it can't or where the file is larger than the
/// ceiling.
Bytes read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

/// Writes the parts one after the other to a temporary file beside `path`, then renames it, so that
/// a reader sees the old file or the whole new one. Throws std::runtime_error where it can't.
void write_file(const std::filesystem::path& path, std::initializer_list<ByteView> parts);
void write_file(const std::filesystem::path& path, std::string_view text);  ///< likewise

}  // namespace pointtree::io

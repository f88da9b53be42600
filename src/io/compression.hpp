// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// Unpacks data compressed as "" (not at all), "lz4" (frame) or "zstd" that must give exactly
/// `size` bytes. Memory grows with what really comes out, not with what was promised. Throws
/// ReadError.
Bytes unpack(std::string_view compression, ByteView packed, std::uint64_t size);

/// Unpacks as much as there is of data that was cut off, up to `size` bytes; damage ends it without
/// an error.
Bytes unpack_beginning(std::string_view compression, ByteView packed, std::uint64_t size);

/// Unpacks a zstd message whose size is not known beforehand; throws ReadError beyond `ceiling`
/// bytes.
Bytes unpack_zstd(ByteView packed, std::uint64_t ceiling);

/// Unpacks a zstd file into another; throws ReadError beyond `ceiling` bytes.
void unpack_zstd_file(const std::filesystem::path& packed, const std::filesystem::path& unpacked,
                      std::uint64_t ceiling);

/// Packs data as "", "lz4" or "zstd"; throws std::invalid_argument for another name.
Bytes pack(std::string_view compression, ByteView bytes);

/// No LZF stream grows by more than this factor: three bytes stand for at most 264.
inline constexpr std::size_t kLzfMaxRatio = 88;

/// Unpacks an LZF stream that must give exactly `size` bytes; throws ReadError otherwise.
Bytes lzf_unpack(ByteView packed, std::size_t size);

}  // namespace pointtree::io

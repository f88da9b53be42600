// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::io {

/// Reads the vertices of a PLY file: ascii, binary little or big endian; other elements are
/// skipped. Throws ReadError.
Cloud parse_ply(ByteView file, const ReadLimits& limits = {});

/// Writes a binary little-endian PLY with x y z and the attributes that the cloud has.
void write_ply(const std::filesystem::path& path, const Cloud& cloud);

}  // namespace pointtree::io

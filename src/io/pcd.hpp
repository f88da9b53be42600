// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::io {

/// Reads a PCD file's bytes: ascii, binary or binary_compressed (LZF), any fields that include x, y
/// and z. Every size in the header is checked against the bytes before anything is allocated;
/// throws ReadError.
Cloud parse_pcd(ByteView file, const ReadLimits& limits = {});

/// Writes a binary PCD with x y z and the attributes that the cloud has.
void write_pcd(const std::filesystem::path& path, const Cloud& cloud);

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::io {

/// Reads a PCD file's bytes: ascii, binary or binary_compressed (LZF), any fields that include x, y
/// and z. Every size in the header is checked against the bytes before anything is allocated;
/// throws ReadError.
Cloud parse_pcd(ByteView file, const ReadLimits& limits = {});

/// Writes a binary PCD with x y z and the attributes that the cloud has.
void write_pcd(const std::filesystem::path& path, const Cloud& cloud);

/// Reads the vertices of a PLY file: ascii, binary little or big endian; other elements are
/// skipped. Throws ReadError.
Cloud parse_ply(ByteView file, const ReadLimits& limits = {});

/// Writes a binary little-endian PLY with x y z and the attributes that the cloud has.
void write_ply(const std::filesystem::path& path, const Cloud& cloud);

/// Reads a KITTI scan: float32 x y z intensity, nothing else. Throws ReadError.
Cloud parse_kitti(ByteView file, const ReadLimits& limits = {});

/// Reads SemanticKITTI labels (.label): the class, which is the lower half of each 32-bit number.
/// Throws ReadError.
std::vector<std::int32_t> read_kitti_labels(const std::filesystem::path& path,
                                            const ReadLimits& limits = {});

/// Reads points written as lines of numbers, separated by spaces, commas or semicolons; lines that
/// begin with '#' or
/// '//' and a first line with a single count (.pts) are passed over. Columns: x y z · x y z
/// intensity · x y z r g b · x y z intensity r g b (colours from 0 to 255); any other number of
/// columns gives coordinates only. Throws ReadError.
Cloud parse_text_cloud(ByteView file, const ReadLimits& limits = {});

}  // namespace pointtree::io

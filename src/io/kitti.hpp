// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::io {

/// Reads a KITTI scan: float32 x y z intensity, nothing else. Throws ReadError.
Cloud parse_kitti(ByteView file, const ReadLimits& limits = {});

/// Reads SemanticKITTI labels (.label): the class, which is the lower half of each 32-bit number.
/// Throws ReadError.
std::vector<std::int32_t> read_kitti_labels(const std::filesystem::path& path,
                                            const ReadLimits& limits = {});

}  // namespace pointtree::io

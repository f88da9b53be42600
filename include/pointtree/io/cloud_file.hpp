// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// Stands for "no label" in labels of points and clouds.
inline constexpr std::int32_t kNoLabel = -1;

/// A cloud as files hold it; attribute vectors have one entry per point or are empty where the file
/// has none.
struct Cloud {
  geometry::Points points;       ///< metres as a rule; NaN where an organised cloud has no return
  std::vector<float> intensity;  ///< in the file's own unit
  std::vector<std::int32_t> labels;    ///< class or object per point
  std::vector<std::uint32_t> colours;  ///< 0xRRGGBB
  std::uint32_t width = 0;             ///< points per row; width · height is the number of points
  std::uint32_t height = 1;            ///< more than one for an organised cloud
};

/// Reads a cloud by its file's extension: .pcd, .ply, .bin (KITTI), .npy, .npz, .txt, .xyz, .pts.
/// Throws ReadError naming the file, what was expected and what was found.
Cloud read_cloud(const std::filesystem::path& path, const ReadLimits& limits = {});

/// Writes a cloud by its file's extension: .pcd (binary), .ply (binary little endian), .npy
/// (float32 [n, 3], or [n, 4] with intensity). Throws std::invalid_argument for another extension,
/// std::runtime_error where it can't write.
void write_cloud(const std::filesystem::path& path, const Cloud& cloud);

/// Whether read_cloud knows the file's extension.
bool is_cloud_file(const std::filesystem::path& path);

}  // namespace pointtree::io

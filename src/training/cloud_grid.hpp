// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::training {

/// A cloud to be shown with a caption; the frame's colour tells good from bad.
struct CloudPicture {
  geometry::Points points;
  std::vector<std::int32_t> labels;  ///< per point: decides its colour; empty: coloured by depth
  std::string caption;
  bool good = true;
};

/// Draws clouds in rows of `columns`, each seen slightly from above; throws std::runtime_error
/// where the file cannot be written.
void draw_cloud_grid(const std::vector<CloudPicture>& clouds, int columns,
                     const std::filesystem::path& png);

}  // namespace pointtree::training

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perception/cell_index.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Replaces the points of each voxel by their centroid and remembers who went where.
class VoxelGrid {
 public:
  /// Takes the points in O(n); a size of 0 keeps every point as a voxel of its own.
  void assign(const PointBuffer& points, float size);

  const PointBuffer& centroids() const { return centroids_; }

  /// voxel_of()[i]: index in centroids() of point i.
  const std::vector<std::uint32_t>& voxel_of() const { return voxel_of_; }

 private:
  CellIndex index_;
  PointBuffer centroids_;
  std::vector<std::uint32_t> voxel_of_;
};

}  // namespace pointtree::perception

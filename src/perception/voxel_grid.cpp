// SPDX-License-Identifier: Apache-2.0
#include "perception/voxel_grid.hpp"

#include <numeric>

namespace pointtree::perception {

void VoxelGrid::assign(const PointBuffer& points, float size) {
  voxel_of_.resize(points.size());
  if (size <= 0.0F) {
    centroids_ = points;
    std::iota(voxel_of_.begin(), voxel_of_.end(), 0U);
    return;
  }
  index_.assign(points, size);
  centroids_.clear();
  for (const CellIndex::Cell& cell : index_.cells()) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    // Summed about the first point, which keeps float accurate far from the origin.
    const Eigen::Vector3f& first = points[index_.order()[cell.begin]];
    for (std::uint32_t k = cell.begin; k < cell.end; ++k) {
      const std::uint32_t point = index_.order()[k];
      sum += points[point] - first;
      voxel_of_[point] = static_cast<std::uint32_t>(centroids_.size());
    }
    centroids_.emplace_back(first + sum / static_cast<float>(cell.end - cell.begin));
  }
}

}  // namespace pointtree::perception

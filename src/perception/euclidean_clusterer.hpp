// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perception/cell_index.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Joins points that are linked by steps of at most a tolerance: exact Euclidean clustering.
///
/// The grid's cells are so small that all points of one belong together, so only pairs of nearby
/// cells are tested, and those by sweeping sorted columns instead of searching a tree: O(n) for
/// clouds of bounded density.
class EuclideanClusterer {
 public:
  /// Clusters the points; clusters are numbered in the order of their first point.
  void assign(const PointBuffer& points, float tolerance);

  /// labels()[i]: the cluster of point i.
  const std::vector<std::int32_t>& labels() const { return labels_; }

  std::int32_t count() const { return count_; }

 private:
  void join_column(const PointBuffer& points, int dx, int dy, float squared_tolerance);
  bool touch(const PointBuffer& points, const CellIndex::Cell& a, const CellIndex::Cell& b,
             float squared_tolerance) const;
  std::uint32_t find_root(std::uint32_t cell);
  void number_clusters(std::size_t points);

  CellIndex index_;
  std::vector<std::uint32_t> parent_;
  PointBuffer sorted_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> number_of_root_;
  std::vector<std::uint32_t> cell_of_;
  std::int32_t count_ = 0;
};

}  // namespace pointtree::perception

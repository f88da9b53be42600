// SPDX-License-Identifier: Apache-2.0
#include "perception/euclidean_clusterer.hpp"

#include <algorithm>
#include <numeric>

namespace pointtree::perception {

void EuclideanClusterer::assign(const PointBuffer& points, float tolerance) {
  // A hair under tolerance / √3: rounding must not put two points of one cell farther apart.
  index_.assign(points, tolerance * 0.577F);
  const auto& order = index_.order();
  sorted_.resize(points.size());
  for (std::size_t k = 0; k < order.size(); ++k) sorted_[k] = points[order[k]];
  parent_.resize(index_.cells().size());
  std::iota(parent_.begin(), parent_.end(), 0U);

  const float squared_tolerance = tolerance * tolerance;
  for (int dx = 0; dx <= 2; ++dx) {
    for (int dy = dx == 0 ? 0 : -2; dy <= 2; ++dy) {
      join_column(sorted_, dx, dy, squared_tolerance);
    }
  }
  number_clusters(points.size());
}

void EuclideanClusterer::join_column(const PointBuffer& points, int dx, int dy,
                                     float squared_tolerance) {
  const auto& cells = index_.cells();
  // In a cell's own column only the cells above it are new.
  const std::int64_t first = index_.key_offset(dx, dy, dx == 0 && dy == 0 ? 1 : -2);
  const std::int64_t last = index_.key_offset(dx, dy, 2);
  std::size_t candidate = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const std::int64_t key = static_cast<std::int64_t>(cells[cell].key);
    // Both keys grow together, so one pass over the cells serves them all.
    while (candidate < cells.size() &&
           static_cast<std::int64_t>(cells[candidate].key) < key + first) {
      ++candidate;
    }
    for (std::size_t other = candidate;
         other < cells.size() && static_cast<std::int64_t>(cells[other].key) <= key + last;
         ++other) {
      const std::uint32_t root = find_root(static_cast<std::uint32_t>(cell));
      const std::uint32_t other_root = find_root(static_cast<std::uint32_t>(other));
      if (root == other_root) continue;
      if (!touch(points, cells[cell], cells[other], squared_tolerance)) continue;
      parent_[std::max(root, other_root)] = std::min(root, other_root);
    }
  }
}

bool EuclideanClusterer::touch(const PointBuffer& points, const CellIndex::Cell& a,
                               const CellIndex::Cell& b, float squared_tolerance) const {
  for (std::uint32_t i = a.begin; i < a.end; ++i) {
    for (std::uint32_t j = b.begin; j < b.end; ++j) {
      if ((points[i] - points[j]).squaredNorm() <= squared_tolerance) return true;
    }
  }
  return false;
}

std::uint32_t EuclideanClusterer::find_root(std::uint32_t cell) {
  while (parent_[cell] != cell) {
    parent_[cell] = parent_[parent_[cell]];
    cell = parent_[cell];
  }
  return cell;
}

void EuclideanClusterer::number_clusters(std::size_t points) {
  const auto& cells = index_.cells();
  cell_of_.resize(points);
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
    for (std::uint32_t k = cells[cell].begin; k < cells[cell].end; ++k) {
      cell_of_[index_.order()[k]] = cell;
    }
  }
  number_of_root_.assign(cells.size(), -1);
  labels_.resize(points);
  count_ = 0;
  for (std::size_t i = 0; i < points; ++i) {
    std::int32_t& number = number_of_root_[find_root(cell_of_[i])];
    if (number < 0) number = count_++;
    labels_[i] = number;
  }
}

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// The points of a cloud sorted into the occupied cells of a regular grid.
///
/// Cells are ordered by (x, y, z); within a cell points keep their order. Filled in O(n) by a radix
/// sort over the bits that the cloud's extent needs; its memory is reused.
class CellIndex {
 public:
  /// A run of equal keys in `order`.
  struct Cell {
    std::uint64_t key;
    std::uint32_t begin;
    std::uint32_t end;
  };

  /// Sorts the points into cubes; throws std::invalid_argument where an axis has more than 2^20
  /// cells.
  void assign(const PointBuffer& points, float cell_size);

  const std::vector<Cell>& cells() const { return cells_; }

  /// Point indices, cell after cell.
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// What to add to a cell's key to get the key of the cell (dx, dy, dz) away, for offsets up to 2
  /// either way; the result is larger for a lexicographically larger cell and never wraps into
  /// another column.
  std::int64_t key_offset(int dx, int dy, int dz) const {
    return dx * (std::int64_t{1} << shift_x_) + dy * (std::int64_t{1} << shift_y_) + dz;
  }

 private:
  void sort_keys(int bits);

  int shift_x_ = 0;
  int shift_y_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> order_scratch_;
  std::vector<std::uint64_t> keys_scratch_;
};

}  // namespace pointtree::perception

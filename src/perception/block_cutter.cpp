// SPDX-License-Identifier: Apache-2.0
#include "perception/block_cutter.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace pointtree::perception {
namespace {

/// A point in a column; sorting brings the columns together with their points in order.
struct Membership {
  std::int32_t column;
  std::int32_t row;
  std::uint32_t point;
  bool operator<(const Membership& other) const {
    return std::tie(column, row, point) < std::tie(other.column, other.row, other.point);
  }
  bool same_block(const Membership& other) const {
    return column == other.column && row == other.row;
  }
};

/// Columns side by side along one axis. They are evened out over the cloud's extent: a narrow one
/// at its end would show the network little, and cost as much as a whole one.
class Columns {
 public:
  Columns(const PointBuffer& points, int axis, const BlockConfig& config) {
    double low = points.front()[axis];
    double high = low;
    for (const Eigen::Vector3f& point : points) {
      low = std::min<double>(low, point[axis]);
      high = std::max<double>(high, point[axis]);
    }
    constexpr double kStretch = 0.15;  // how much of a column the last one may leave over
    const double count = std::max(1.0, std::ceil((high - low) / config.size - kStretch));
    const double size = std::max((high - low) / count * (1.0 + 1e-6), 1e-3);
    first_ = low;
    stride_ = size * config.stride / config.size;
    overlap_ = config.size / config.stride;
  }

  /// Numbers of the first and last column that hold a coordinate: column k spans [k, k + overlap).
  std::pair<std::int32_t, std::int32_t> over(double coordinate) const {
    const double place = (coordinate - first_) / stride_;
    const double first = std::floor(place - overlap_) + 1.0;
    return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(std::floor(place))};
  }

  double middle(std::int32_t column) const { return first_ + (column + 0.5 * overlap_) * stride_; }

 private:
  double first_;
  double stride_;
  double overlap_;
};

std::vector<Membership> find_memberships(const PointBuffer& points, const Columns& along_x,
                                         const Columns& along_y) {
  std::vector<Membership> members;
  members.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto columns = along_x.over(points[i].x());
    const auto rows = along_y.over(points[i].y());
    for (std::int32_t column = columns.first; column <= columns.second; ++column) {
      for (std::int32_t row = rows.first; row <= rows.second; ++row) {
        members.push_back({column, row, static_cast<std::uint32_t>(i)});
      }
    }
  }
  std::sort(members.begin(), members.end());
  return members;
}

struct RankedBlock {
  double squared_distance;
  Block points;
};

}  // namespace

std::vector<Block> cut_blocks(const PointBuffer& points, const BlockConfig& config) {
  if (points.empty()) return {};
  const Columns along_x(points, 0, config);
  const Columns along_y(points, 1, config);
  const std::vector<Membership> members = find_memberships(points, along_x, along_y);
  std::vector<RankedBlock> ranked;
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin;
    while (end < members.size() && members[end].same_block(members[begin])) ++end;
    if (end - begin >= static_cast<std::size_t>(config.min_points)) {
      const double x = along_x.middle(members[begin].column);
      const double y = along_y.middle(members[begin].row);
      RankedBlock block{x * x + y * y, {}};
      for (std::size_t k = begin; k < end; ++k) block.points.push_back(members[k].point);
      ranked.push_back(std::move(block));
    }
    begin = end;
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.squared_distance < b.squared_distance;
  });
  if (ranked.size() > static_cast<std::size_t>(config.max_count)) {
    ranked.resize(static_cast<std::size_t>(config.max_count));
  }
  std::vector<Block> blocks;
  for (RankedBlock& block : ranked) blocks.push_back(std::move(block.points));
  return blocks;
}

}  // namespace pointtree::perception

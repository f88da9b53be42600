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

/// Numbers of the first and last column that hold a coordinate: column k spans [k, k + size /
/// stride).
std::pair<std::int32_t, std::int32_t> columns_over(double coordinate, const BlockConfig& config) {
  const double place = coordinate / config.stride;
  const double first = std::floor(place - config.size / config.stride) + 1.0;
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(std::floor(place))};
}

std::vector<Membership> find_memberships(const PointBuffer& points, const BlockConfig& config) {
  std::vector<Membership> members;
  members.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto columns = columns_over(points[i].x(), config);
    const auto rows = columns_over(points[i].y(), config);
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
  const std::vector<Membership> members = find_memberships(points, config);
  std::vector<RankedBlock> ranked;
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin;
    while (end < members.size() && members[end].same_block(members[begin])) ++end;
    if (end - begin >= static_cast<std::size_t>(config.min_points)) {
      const double x = members[begin].column * config.stride + 0.5 * config.size;
      const double y = members[begin].row * config.stride + 0.5 * config.size;
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

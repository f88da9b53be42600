// SPDX-License-Identifier: Apache-2.0
#include "perception/tree_cutter.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::perception {
namespace {

struct Keyed {
  float key;
  std::uint32_t point;
  // Ties by number, so that equal keys are divided alike everywhere.
  bool operator<(const Keyed& other) const {
    return key < other.key || (key == other.key && point < other.point);
  }
};

/// The level direction in which the points spread most.
Eigen::Vector2f principal_direction(const PointBuffer& points, const Keyed* begin,
                                    const Keyed* end) {
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (const Keyed* k = begin; k != end; ++k) mean += points[k->point].head<2>().cast<double>();
  mean /= static_cast<double>(end - begin);
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  for (const Keyed* k = begin; k != end; ++k) {
    const Eigen::Vector2d d = points[k->point].head<2>().cast<double>() - mean;
    xx += d.x() * d.x();
    xy += d.x() * d.y();
    yy += d.y() * d.y();
  }
  const double angle = 0.5 * std::atan2(2.0 * xy, xx - yy);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// Cuts into `count` blocks; `across` turns the direction of the first cut by a right angle.
void cut(const PointBuffer& points, Keyed* begin, Keyed* end, std::size_t count, bool across,
         std::vector<Block>& blocks) {
  if (count <= 1) {
    Block block;
    for (const Keyed* k = begin; k != end; ++k) block.push_back(k->point);
    std::sort(block.begin(), block.end());
    blocks.push_back(std::move(block));
    return;
  }
  Eigen::Vector2f direction = principal_direction(points, begin, end);
  if (across) direction = {-direction.y(), direction.x()};
  for (Keyed* k = begin; k != end; ++k) k->key = direction.dot(points[k->point].head<2>());
  const std::size_t left = count / 2;
  const auto total = static_cast<std::size_t>(end - begin);
  Keyed* middle = begin + total * left / count;
  std::nth_element(begin, middle, end);
  cut(points, begin, middle, left, false, blocks);
  cut(points, middle, end, count - left, false, blocks);
}

}  // namespace

std::vector<Block> cut_tree_blocks(const PointBuffer& points, int most, bool across) {
  std::vector<Block> blocks;
  if (points.empty()) return blocks;
  std::vector<Keyed> keyed(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) keyed[i] = {0.0F, static_cast<std::uint32_t>(i)};
  const auto size = static_cast<std::size_t>(most);
  std::size_t count = (points.size() + size - 1) / size;
  cut(points, keyed.data(), keyed.data() + keyed.size(), count, across, blocks);
  return blocks;
}

}  // namespace pointtree::perception

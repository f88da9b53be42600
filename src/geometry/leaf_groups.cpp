// SPDX-License-Identifier: Apache-2.0
#include "leaf_groups.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::geometry {
namespace {

bool within_reach(const LeafGroup& one, const LeafGroup& other, float reach) {
  float square = 0.0F;
  for (int c = 0; c < 3; ++c) {
    const float gap = std::max({0.0F, one.low[c] - other.high[c], other.low[c] - one.high[c]});
    square += gap * gap;
  }
  return square < reach * reach;
}

}  // namespace

std::vector<LeafGroup> leaf_groups(const PointsView& places, int merged) {
  constexpr float kBeyond = 1e9F;
  const Eigen::Index means = (places.rows() + merged - 1) / merged;
  std::vector<LeafGroup> groups(
      static_cast<std::size_t>((means + LeafGroup::kSize - 1) / LeafGroup::kSize));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto first = static_cast<Eigen::Index>(g) * LeafGroup::kSize;
    const auto count = std::min<Eigen::Index>(LeafGroup::kSize, means - first);
    for (int c = 0; c < 3; ++c) {
      auto& at = groups[g].at[c];
      at.fill(kBeyond);
      for (Eigen::Index j = 0; j < count; ++j) {
        const Eigen::Index row = (first + j) * merged;
        at[j] =
            places.col(c).segment(row, std::min<Eigen::Index>(merged, places.rows() - row)).mean();
      }
      const auto range = std::minmax_element(at.begin(), at.begin() + count);
      groups[g].low[c] = *range.first;
      groups[g].high[c] = *range.second;
    }
  }
  return groups;
}

void find_groups_near(const LeafGroup& group, const std::vector<LeafGroup>& groups, float reach,
                      std::vector<const LeafGroup*>& near) {
  near.clear();
  for (const LeafGroup& other : groups) {
    if (within_reach(group, other, reach)) near.push_back(&other);
  }
}

Points places_of(const PointsView& leaves) {
  PointsOf<double> centred = leaves.cast<double>();
  centred.rowwise() -= centred.colwise().mean().eval();
  const double radius = std::sqrt(centred.rowwise().squaredNorm().mean());
  return (centred / (radius > 0.0 ? radius : 1.0)).cast<float>();
}

}  // namespace pointtree::geometry

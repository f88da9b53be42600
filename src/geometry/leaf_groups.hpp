// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// Adjacent leaves, which lie together: passed over together where they are too far, and summed
/// side by side. Coordinates are one array each; a group that is not full is filled with points
/// beyond every reach.
struct LeafGroup {
  static constexpr int kSize = 16;

  std::array<std::array<float, kSize>, 3> at;
  std::array<float, 3> low, high;
};

/// The places in groups; or, in their stead, the means of so many adjacent ones each.
std::vector<LeafGroup> leaf_groups(const PointsView& places, int merged = 1);

/// Those that may have points within this reach of points of `group`.
void find_groups_near(const LeafGroup& group, const std::vector<LeafGroup>& groups, float reach,
                      std::vector<const LeafGroup*>& near);

/// In root mean square radii from the centroid.
Points places_of(const PointsView& leaves);

/// Sums lanes in one order whatever the instruction set.
inline float sum_of(float (&lanes)[LeafGroup::kSize]) {
  for (int half = LeafGroup::kSize / 2; half > 0; half /= 2) {
    for (int j = 0; j < half; ++j) lanes[j] += lanes[j + half];
  }
  return lanes[0];
}

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nanoflann.hpp>

#include "pointtree/geometry/points.hpp"

namespace pointtree::cli {

/// A cloud as nanoflann reads it.
struct NanoflannCloud {
  const geometry::Points& points;

  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(points.rows()); }
  float kdtree_get_pt(std::size_t index, std::size_t axis) const {
    return points(static_cast<Eigen::Index>(index), static_cast<Eigen::Index>(axis));
  }
  template <typename Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

/// The k-d tree that building times are compared with: one point per leaf, as in ours.
using NanoflannTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, NanoflannCloud>,
                                        NanoflannCloud, 3, std::uint32_t>;

/// Builds nanoflann's tree with leaf size 1 and returns its number of points.
inline std::size_t build_nanoflann(const NanoflannCloud& cloud) {
  const NanoflannTree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(1));
  return tree.size(tree);
}

}  // namespace pointtree::cli

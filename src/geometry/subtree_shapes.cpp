// SPDX-License-Identifier: Apache-2.0
#include "geometry/subtree_shapes.hpp"

#include <algorithm>
#include <vector>

namespace pointtree::geometry {

void describe_subtrees(const PointsView& leaves, float* rows, std::ptrdiff_t stride) {
  const Eigen::Index count = leaves.rows();
  if (count == 0) return;
  PointsOf<double> centred = leaves.cast<double>();
  centred.rowwise() -= centred.colwise().mean().eval();
  std::vector<detail::SubtreeMoments> moments(static_cast<std::size_t>(count));
  for (Eigen::Index row = 0; row < count; ++row) {
    moments[static_cast<std::size_t>(row)].add_point(centred.row(row).data());
    std::fill_n(rows + row * stride, kSubtreeChannels, 0.0F);
  }
  for (Eigen::Index scale = 2; scale < count; scale *= 2) {
    const auto subtrees = static_cast<std::size_t>(count / scale);
    for (std::size_t i = 0; i < subtrees; ++i) {
      moments[i] = moments[2 * i];
      moments[i].add(moments[2 * i + 1]);
    }
    if (scale < kSmallestSubtree) continue;
    const auto shape_of = [&](std::size_t i) {
      detail::SubtreeShape shape(moments[i], static_cast<double>(scale),
                                 static_cast<double>(count));
      detail::point_outwards(shape);
      return shape;
    };
    for (std::size_t i = 0; i < subtrees; i += 2) {
      const detail::SubtreeShape left = shape_of(i);
      const detail::SubtreeShape right = shape_of(i + 1);
      float* row = rows + (static_cast<Eigen::Index>(i) * scale + scale / 2) * stride;
      float* next = row + scale * stride;
      detail::describe_beside(left, right, [row](int k, float value) { row[k] = value; });
      detail::describe_beside(right, left, [next](int k, float value) { next[k] = value; });
    }
  }
}

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include "geometry/subtree_shapes.hpp"

#include <algorithm>
#include <vector>

namespace pointtree::geometry {

void write_subtree_shapes(const PointsView& leaves, float* rows, std::ptrdiff_t stride,
                          const RepeatedLeaves& repeated) {
  const Eigen::Index count = leaves.rows();
  if (count == 0) return;
  PointsOf<double> centred = leaves.cast<double>();
  centred.rowwise() -= centred.colwise().mean().eval();
  std::vector<detail::SubtreeMoments> moments(static_cast<std::size_t>(count));
  for (Eigen::Index row = 0; row < count; ++row) {
    moments[static_cast<std::size_t>(row)].add_point(centred.row(row).data());
    std::fill_n(rows + row * stride, kSubtreeChannels, 0.0F);
  }
  const Eigen::Index points = count * repeated.times;
  float* equal_rows = rows;
  for (Eigen::Index scale = 2; scale < points; scale *= 2) {
    const bool equal = scale <= repeated.times;
    const Eigen::Index width = equal ? 1 : scale / repeated.times;  // leaves of a subtree
    const auto subtrees = static_cast<std::size_t>(count / width);
    detail::join_pairs(moments.data(), subtrees, equal);
    if (scale < kSmallestSubtree) continue;
    if (equal) equal_rows += repeated.next_scale;
    float* first = equal ? equal_rows : rows + width / 2 * stride;
    const auto shape_of = [&](std::size_t i) {
      detail::SubtreeShape shape(moments[i], static_cast<double>(scale),
                                 static_cast<double>(points));
      detail::point_outwards(shape);
      return shape;
    };
    for (std::size_t i = 0; i < subtrees; i += 2) {
      const detail::SubtreeShape left = shape_of(i);
      const detail::SubtreeShape right = shape_of(i + 1);
      const bool twins = scale < repeated.times;  // a subtree's sibling is its equal
      float* row = first + static_cast<Eigen::Index>(i) * width * stride;
      float* next = row + width * stride;
      detail::write_siblings(left, twins ? left : right,
                             [row](int k, float value) { row[k] = value; });
      detail::write_siblings(right, twins ? right : left,
                             [next](int k, float value) { next[k] = value; });
    }
  }
}

}  // namespace pointtree::geometry

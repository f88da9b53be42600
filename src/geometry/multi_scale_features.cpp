// SPDX-License-Identifier: Apache-2.0
#include "geometry/multi_scale_features.hpp"

#include <vector>

#include "geometry/detail/subtree_shape.hpp"

namespace pointtree::geometry {

int multi_scale_channels(int leaves) {
  int channels = 1;
  for (int scale = detail::kSmallestSubtree; scale < leaves; scale *= detail::kSubtreeStep) {
    channels += detail::kChannelsPerSubtree;
  }
  return channels;
}

void write_multi_scale_features(const PointsView& leaves, float* rows, std::ptrdiff_t stride,
                                const RepeatedLeaves& repeated) {
  PointsOf<double> centred = leaves.cast<double>();
  if (centred.rows() == 0) return;
  centred.rowwise() -= centred.colwise().mean().eval();
  std::vector<detail::SubtreeMoments> moments(static_cast<std::size_t>(centred.rows()));
  for (Eigen::Index row = 0; row < centred.rows(); ++row) {
    rows[row * stride] = static_cast<float>(centred.row(row).norm());
    moments[static_cast<std::size_t>(row)].add_point(centred.row(row).data());
  }
  ++rows;
  const Eigen::Index points = centred.rows() * repeated.times;
  Eigen::Index written = detail::kSmallestSubtree;
  for (Eigen::Index scale = 2; scale < points; scale *= 2) {
    const bool equal = scale <= repeated.times;
    const Eigen::Index width = equal ? 1 : scale / repeated.times;  // leaves of a subtree
    const auto subtrees = static_cast<std::size_t>(centred.rows() / width);
    detail::join_pairs(moments.data(), subtrees, equal);
    if (scale != written) continue;
    for (std::size_t i = 0; i < subtrees; ++i) {
      const detail::SubtreeShape shape(moments[i], static_cast<double>(scale),
                                       static_cast<double>(points));
      const Eigen::Index begin = static_cast<Eigen::Index>(i) * width;
      for (Eigen::Index row = begin; row < begin + width; ++row) {
        float* target = rows + row * stride;
        shape.write(centred.row(row).data(), [target](int k, float value) { target[k] = value; });
      }
    }
    rows += detail::kChannelsPerSubtree;
    written *= detail::kSubtreeStep;
  }
}

}  // namespace pointtree::geometry

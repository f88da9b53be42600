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

void write_multi_scale_features(const PointsView& leaves, float* rows, std::ptrdiff_t stride) {
  PointsOf<double> centred = leaves.cast<double>();
  if (centred.rows() == 0) return;
  centred.rowwise() -= centred.colwise().mean().eval();
  std::vector<detail::SubtreeMoments> moments(static_cast<std::size_t>(centred.rows()));
  for (Eigen::Index row = 0; row < centred.rows(); ++row) {
    rows[row * stride] = static_cast<float>(centred.row(row).norm());
    moments[static_cast<std::size_t>(row)].add_point(centred.row(row).data());
  }
  ++rows;
  Eigen::Index described = detail::kSmallestSubtree;
  for (Eigen::Index scale = 2; scale < centred.rows(); scale *= 2) {
    const auto subtrees = static_cast<std::size_t>(centred.rows() / scale);
    for (std::size_t i = 0; i < subtrees; ++i) {
      moments[i] = moments[2 * i];
      moments[i].add(moments[2 * i + 1]);
    }
    if (scale != described) continue;
    for (std::size_t i = 0; i < subtrees; ++i) {
      const detail::SubtreeShape shape(moments[i], static_cast<double>(scale),
                                       static_cast<double>(centred.rows()));
      const Eigen::Index begin = static_cast<Eigen::Index>(i) * scale;
      for (Eigen::Index row = begin; row < begin + scale; ++row) {
        float* target = rows + row * stride;
        shape.describe(centred.row(row).data(),
                       [target](int k, float value) { target[k] = value; });
      }
    }
    rows += detail::kChannelsPerSubtree;
    described *= detail::kSubtreeStep;
  }
}

}  // namespace pointtree::geometry

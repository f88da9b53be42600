// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/pre_align.hpp"

#include "align/aligner.hpp"

namespace pointtree::geometry {
namespace {

template <typename Scalar>
PreAlignment align_cloud(const PointsViewOf<Scalar>& points, const PreAlignOptions& options) {
  if (points.rows() == 0) {
    PreAlignment empty;
    empty.rank = 0;
    return empty;
  }
  return align::Aligner(points).run(options);
}

}  // namespace

PreAlignment pre_align(const PointsView& points, PreAlignMode mode) {
  PreAlignOptions options;
  options.mode = mode;
  return align_cloud<float>(points, options);
}

PreAlignment pre_align(const PointsView& points, const PreAlignOptions& options) {
  return align_cloud<float>(points, options);
}

PreAlignment pre_align(const PointsViewOf<double>& points, const PreAlignOptions& options) {
  return align_cloud<double>(points, options);
}

}  // namespace pointtree::geometry

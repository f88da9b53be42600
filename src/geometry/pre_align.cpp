// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/pre_align.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "align/aligner.hpp"

namespace pointtree::geometry {
namespace {

constexpr std::array<std::string_view, 6> kModeNames{"none",      "plain",   "iterative",
                                                     "canonical", "upright", "metric"};

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

std::string_view to_string(PreAlignMode mode) {
  return kModeNames.at(static_cast<std::size_t>(mode));
}

PreAlignMode pre_align_mode(std::string_view name) {
  for (std::size_t i = 0; i < kModeNames.size(); ++i) {
    if (kModeNames[i] == name) return static_cast<PreAlignMode>(i);
  }
  throw std::invalid_argument("pre-alignment '" + std::string(name) +
                              "' is none of none, plain, iterative, canonical, upright, metric");
}

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "raw_values.hpp"

namespace {

using namespace pointtree;  // NOLINT(google-build-using-namespace)

constexpr Eigen::Index kMaxPoints = 256;

/// As many of the input's points as a balanced tree takes.
geometry::Points points_of(fuzz::RawValues& values) {
  Eigen::Index count = 1;
  while (count < kMaxPoints && values.left() >= static_cast<std::size_t>(2 * count) * 12)
    count *= 2;
  geometry::Points points(count, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = values.take<float>();
  return points;
}

void check_tree(const geometry::Points& points, const geometry::TreeOptions& options) {
  const auto tree = geometry::build_tree(points, options);
  auto order = tree.leaf_order();
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<std::int32_t>(i)) std::abort();
  }
  for (const auto& plane : tree.planes()) {
    if (!plane.normal.allFinite() || !std::isfinite(plane.offset)) std::abort();
    if (std::abs(plane.normal.norm() - 1.0) > 1e-6) std::abort();
  }
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const auto leaf = tree.locate(points.row(i).transpose().cast<double>());
    if (leaf < 0 || leaf >= points.rows()) std::abort();
  }
}

}  // namespace

/// Finite points, however placed, have a standard pose of finite numbers and a tree that holds each
/// of them once; others are refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::RawValues values(data, size);
  const auto choice = values.take<std::uint8_t>();
  geometry::PreAlignOptions pose;
  pose.mode = static_cast<geometry::PreAlignMode>(choice & 3U);
  geometry::TreeOptions tree;
  if ((choice & 8U) != 0) tree.rule = geometry::SplitRule::axis_aligned;
  if ((choice & 16U) != 0) tree.sign = geometry::SignRule::third_moment;
  const auto points = points_of(values);
  try {
    const auto aligned = geometry::pre_align(points, pose);
    if (!points.allFinite()) std::abort();
    if (!aligned.points.allFinite() || !aligned.linear.allFinite()) std::abort();
    if (!aligned.translation.allFinite()) std::abort();
    check_tree(aligned.points, tree);
    check_tree(points, tree);
  } catch (const std::invalid_argument&) {
    if (points.allFinite()) std::abort();
  }
  return 0;
}

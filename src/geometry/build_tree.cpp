// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "geometry/parallel.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "tree/build_order.hpp"
#include "tree/kernel_name.hpp"
#include "tree/workspace.hpp"

namespace pointtree::geometry {
namespace {

using tree::Entry;
using tree::Kernel;
using tree::PlaneRecord;
using tree::Rules;
using tree::Subtree;

static_assert(sizeof(Plane) == sizeof(PlaneRecord), "planes are written in place");

Kernel choose_kernel() {
#ifdef POINTTREE_AVX2_KERNEL
  if (tree::kernel_name() == "avx2") return tree::avx2_kernel();
#endif
  return tree::generic_kernel();
}

/// The centroid, from two partial sums.
template <typename Scalar>
Eigen::Vector3d centroid(const PointsViewOf<Scalar>& points) {
  const Eigen::Index n = points.rows();
  const Scalar* row = points.data();
  const Eigen::Index stride = points.outerStride();
  double even[3] = {0.0, 0.0, 0.0};
  double odd[3] = {0.0, 0.0, 0.0};
  Eigen::Index i = 0;
  for (; i + 1 < n; i += 2, row += 2 * stride) {
    for (int c = 0; c < 3; ++c) {
      even[c] += row[c];
      odd[c] += row[stride + c];
    }
  }
  if (i < n) {
    for (int c = 0; c < 3; ++c) even[c] += row[c];
  }
  return Eigen::Vector3d(even[0] + odd[0], even[1] + odd[1], even[2] + odd[2]) /
         static_cast<double>(n);
}

/// Fills in the points about the centre; returns the largest |coordinate|. By itself, so that its
/// loop has registers enough.
template <typename Scalar>
[[gnu::noinline]] double centre_points(const PointsViewOf<Scalar>& points,
                                       const Eigen::Vector3d& centre, Entry* entries) {
  const Scalar* row = points.data();
  const Eigen::Index stride = points.outerStride();
  const double cx = centre.x();
  const double cy = centre.y();
  const double cz = centre.z();
  double extent = 0.0;
  for (Eigen::Index i = 0; i < points.rows(); ++i, row += stride) {
    const Entry entry{row[0] - cx, row[1] - cy, row[2] - cz, static_cast<double>(i)};
    const double level = std::max(std::fabs(entry.x), std::fabs(entry.y));
    extent = std::max(extent, std::max(level, std::fabs(entry.z)));
    entries[i] = entry;
  }
  return extent;
}

/// Splits the upper levels one by one until there is a subtree for every thread, then builds these
/// side by side.
std::int32_t build_in_parallel(const Subtree& whole, const Rules& rules, const Kernel& kernel,
                               int threads) {
  constexpr std::size_t kSmallestShare = 2048;
  std::vector<Subtree> subtrees{whole};
  std::int32_t ties = 0;
  while (subtrees.size() < 4 * static_cast<std::size_t>(threads) &&
         subtrees.front().n >= 2 * kSmallestShare) {
    std::vector<Subtree> children;
    std::vector<std::int32_t> level_ties(subtrees.size());
    for_each_in_parallel(subtrees.size(), threads, [&](std::size_t i) {
      level_ties[i] = kernel.split_root(subtrees[i], rules);
    });
    for (std::size_t i = 0; i < subtrees.size(); ++i) {
      ties += level_ties[i];
      for (std::size_t side = 0; side < 2; ++side)
        children.push_back(tree::child(subtrees[i], side));
    }
    subtrees = std::move(children);
  }
  std::vector<std::int32_t> subtree_ties(subtrees.size());
  for_each_in_parallel(subtrees.size(), threads, [&](std::size_t i) {
    subtree_ties[i] = kernel.build_subtree(subtrees[i], rules);
  });
  for (std::int32_t t : subtree_ties) ties += t;
  return ties;
}

template <typename Scalar>
RelaxedKdTree build_in(tree::Workspace& workspace, const PointsViewOf<Scalar>& points,
                       const TreeOptions& options) {
  static const Kernel kKernel = choose_kernel();
  const Eigen::Index rows = points.rows();
  if (rows < 1 || (rows & (rows - 1)) != 0 || rows > (Eigen::Index{1} << 30)) {
    throw std::invalid_argument("a tree needs 2^d points, 1 to 2^30, found " +
                                std::to_string(rows));
  }
  const auto n = static_cast<std::size_t>(rows);
  const Eigen::Vector3d centre = centroid<Scalar>(points);
  workspace.reserve(n);
  const double extent = centre_points<Scalar>(points, centre, workspace.points());
  // The sum of finite points is finite unless they fill the range of the type.
  if (!centre.allFinite() || !(extent < tree::kLargestExtent)) {
    throw std::invalid_argument("a tree needs finite points within 1e140 of their centre");
  }
  std::vector<std::int32_t> leaf_order(n);
  std::vector<Plane> planes(n - 1);
  std::int32_t ties = 0;
  if (n > 1) {
    Rules rules;
    rules.axis_aligned = options.rule == SplitRule::axis_aligned;
    rules.third_moment_sign = options.sign == SignRule::third_moment;
    const double resolution = extent * tree::kResolution;
    rules.duplicate_square = resolution * resolution;
    const Subtree whole{workspace.points(),
                        workspace.spare(),
                        workspace.buckets(),
                        leaf_order.data(),
                        reinterpret_cast<PlaneRecord*>(planes.data()),
                        n,
                        1};
    ties = options.threads == 1
               ? kKernel.build_subtree(whole, rules)
               : build_in_parallel(whole, rules, kKernel, thread_count(options.threads));
  }
  return {std::move(leaf_order), std::move(planes), centre, ties};
}

/// Trees of up to this many points are built in memory that the thread keeps for the next one (0.6
/// MB): fresh pages for every tree of a batch would make its threads queue for the kernel.
constexpr Eigen::Index kKeptPoints = 8192;

template <typename Scalar>
RelaxedKdTree build(const PointsViewOf<Scalar>& points, const TreeOptions& options) {
  if (points.rows() <= kKeptPoints) {
    thread_local tree::Workspace kept(0);
    return build_in<Scalar>(kept, points, options);
  }
  tree::Workspace workspace(0);
  return build_in<Scalar>(workspace, points, options);
}

TreeOptions with_rule(SplitRule rule) {
  TreeOptions options;
  options.rule = rule;
  return options;
}

}  // namespace

RelaxedKdTree build_tree(const PointsView& points, const TreeOptions& options) {
  return build<float>(points, options);
}

RelaxedKdTree build_tree(const PointsViewOf<double>& points, const TreeOptions& options) {
  return build<double>(points, options);
}

RelaxedKdTree build_tree(const PointsView& points, SplitRule rule) {
  return build<float>(points, with_rule(rule));
}

RelaxedKdTree build_tree(const PointsViewOf<double>& points, SplitRule rule) {
  return build<double>(points, with_rule(rule));
}

std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       SplitRule rule) {
  return build_trees(clouds, threads, with_rule(rule));
}

std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       const TreeOptions& options) {
  TreeOptions each = options;
  each.threads = 1;
  std::vector<std::optional<RelaxedKdTree>> built(clouds.size());
  for_each_in_parallel(clouds.size(), threads,
                       [&](std::size_t i) { built[i] = build<float>(clouds[i], each); });
  std::vector<RelaxedKdTree> trees;
  trees.reserve(built.size());
  for (std::optional<RelaxedKdTree>& tree : built) trees.push_back(std::move(*tree));
  return trees;
}

std::string_view tree::kernel_name() {
#ifdef POINTTREE_AVX2_KERNEL
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0) return "avx2";
#endif
  return "portable";
}

}  // namespace pointtree::geometry

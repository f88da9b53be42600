// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/enum_names.hpp"
#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How a node chooses the normal of its splitting plane.
enum class SplitRule {
  relaxed,       ///< the first principal component of the node's points
  axis_aligned,  ///< the coordinate axis with the largest |component| of that direction
};
constexpr std::array<std::string_view, 2> names_of(SplitRule /*of*/) {
  return {"relaxed", "axis_aligned"};
}
using pointtree::to_string;

/// Which of the two normals of a plane is taken, that is, which half of a node becomes its left
/// child.
enum class SignRule {
  largest_component,  ///< the largest |component| of the normal is positive
  third_moment,  ///< the skewness of the projections is positive; follows the points as they turn
};

/// How a tree is built.
struct TreeOptions {
  SplitRule rule = SplitRule::relaxed;
  SignRule sign = SignRule::largest_component;
  int threads =
      1;  ///< threads for one tree; 0: as many as cores. The tree is the same for any number.
};

/// A splitting plane in coordinates about the tree's centre: normal · (p − centre) < offset lies on
/// the left.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  double offset = 0.0;
};

/// A balanced binary tree over 2^d points: a permutation plus 2^d − 1 planes.
///
/// Node i of level l (the root is level 0) has the children 2i and 2i + 1 of level l + 1, so
/// features in leaf order need no index tables: merging a level is an operation on adjacent pairs.
class RelaxedKdTree {
 public:
  /// Takes 2^d leaves and 2^d − 1 planes; throws std::invalid_argument for any other numbers.
  RelaxedKdTree(std::vector<std::int32_t> leaf_order, std::vector<Plane> planes,
                const Eigen::Vector3d& centre = Eigen::Vector3d::Zero(),
                std::int32_t tied_nodes = 0);

  /// d for 2^d leaves.
  int depth() const { return depth_; }

  /// leaf_order()[j] is the index of the point in leaf j, leaves counted from left to right.
  const std::vector<std::int32_t>& leaf_order() const { return leaf_order_; }

  /// Planes in heap order: node i of level l is at 2^l − 1 + i.
  const std::vector<Plane>& planes() const { return planes_; }

  /// The centroid of the points, about which the planes are given so that far-off clouds keep their
  /// precision.
  const Eigen::Vector3d& centre() const { return centre_; }

  /// Nodes of more than two points whose principal direction was not unique and was settled by the
  /// fallback rule.
  std::int32_t tied_nodes() const { return tied_nodes_; }

  /// The leaf whose cell holds the point: O(d). A build point finds its own leaf unless it lies on
  /// a plane with others.
  std::int32_t locate(const Eigen::Vector3d& point) const;

 private:
  int depth_;
  std::vector<std::int32_t> leaf_order_;
  std::vector<Plane> planes_;
  Eigen::Vector3d centre_;
  std::int32_t tied_nodes_;
};

/// Builds the tree of a cloud of 2^d finite points in O(n log n); throws std::invalid_argument
/// otherwise.
RelaxedKdTree build_tree(const PointsView& points, SplitRule rule = SplitRule::relaxed);
RelaxedKdTree build_tree(const PointsViewOf<double>& points, SplitRule rule = SplitRule::relaxed);

/// The same with all options.
RelaxedKdTree build_tree(const PointsView& points, const TreeOptions& options);
RelaxedKdTree build_tree(const PointsViewOf<double>& points, const TreeOptions& options);

/// Builds one tree per cloud; the trees are the same for any thread count (0: as many as cores).
std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       SplitRule rule = SplitRule::relaxed);

std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       const TreeOptions& options);

}  // namespace pointtree::geometry

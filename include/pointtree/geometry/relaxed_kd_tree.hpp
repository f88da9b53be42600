#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry {

/// How a node chooses the normal of its splitting plane.
enum class SplitRule {
  relaxed,       ///< the first principal component of the node's points
  axis_aligned,  ///< the coordinate axis with the largest |component| of that direction
};

/// A splitting plane: points with normal · p < offset lie on the left.
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
  RelaxedKdTree(std::vector<std::int32_t> leaf_order, std::vector<Plane> planes);

  /// d for 2^d leaves.
  int depth() const { return depth_; }

  /// leaf_order()[j] is the index of the point in leaf j, leaves counted from left to right.
  const std::vector<std::int32_t>& leaf_order() const { return leaf_order_; }

  /// Planes in heap order: node i of level l is at 2^l − 1 + i.
  const std::vector<Plane>& planes() const { return planes_; }

  /// The leaf whose cell holds the point: O(d).
  std::int32_t locate(const Eigen::Vector3d& point) const;

 private:
  int depth_;
  std::vector<std::int32_t> leaf_order_;
  std::vector<Plane> planes_;
};

/// Builds the tree of a cloud of 2^d finite points in O(n log n); throws std::invalid_argument
/// otherwise.
RelaxedKdTree build_tree(const PointsView& points, SplitRule rule = SplitRule::relaxed);
RelaxedKdTree build_tree(const PointsViewOf<double>& points, SplitRule rule = SplitRule::relaxed);

/// Builds one tree per cloud; the trees are the same for any thread count (0: as many as cores).
std::vector<RelaxedKdTree> build_trees(const std::vector<PointsView>& clouds, int threads,
                                       SplitRule rule = SplitRule::relaxed);

}  // namespace pointtree::geometry

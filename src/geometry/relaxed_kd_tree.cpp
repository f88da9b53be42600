// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/relaxed_kd_tree.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "geometry/detail/projection.hpp"

namespace pointtree::geometry {

RelaxedKdTree::RelaxedKdTree(std::vector<std::int32_t> leaf_order, std::vector<Plane> planes,
                             const Eigen::Vector3d& centre, std::int32_t tied_nodes)
    : depth_(0),
      leaf_order_(std::move(leaf_order)),
      planes_(std::move(planes)),
      centre_(centre),
      tied_nodes_(tied_nodes) {
  while ((std::size_t{1} << depth_) < leaf_order_.size()) ++depth_;
  if (leaf_order_.size() != std::size_t{1} << depth_ || planes_.size() + 1 != leaf_order_.size()) {
    throw std::invalid_argument("a tree needs 2^d leaves and 2^d - 1 planes, found " +
                                std::to_string(leaf_order_.size()) + " leaves and " +
                                std::to_string(planes_.size()) + " planes");
  }
}

std::int32_t RelaxedKdTree::locate(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d p = point - centre_;
  std::size_t node = 0;
  for (int level = 0; level < depth_; ++level) {
    const Plane& plane = planes_[node];
    const double s = detail::project(plane.normal.data(), p.x(), p.y(), p.z());
    node = 2 * node + 1 + static_cast<std::size_t>(!(s < plane.offset));
  }
  return static_cast<std::int32_t>(node + 1 - leaf_order_.size());
}

}  // namespace pointtree::geometry

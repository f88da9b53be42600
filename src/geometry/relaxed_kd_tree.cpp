#include "pointtree/geometry/relaxed_kd_tree.hpp"

#include <utility>

namespace pointtree::geometry {

RelaxedKdTree::RelaxedKdTree(std::vector<std::int32_t> leaf_order, std::vector<Plane> planes)
    : depth_(0), leaf_order_(std::move(leaf_order)), planes_(std::move(planes)) {
  while ((std::size_t{1} << depth_) < leaf_order_.size()) ++depth_;
}

}  // namespace pointtree::geometry

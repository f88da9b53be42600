// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::geometry::test {

/// Checks a tree against its definition, node by node, with Eigen's solver as the judge of
/// directions.
///
/// Every node's normal is a unit principal direction of its points (within rounding over the
/// eigenvalue gap), its two halves are equal, no projection on the left exceeds one on the right,
/// and the plane lies between. Returns the first violation, or nothing.
std::string violation(const RelaxedKdTree& tree, const PointsOf<double>& points,
                      SplitRule rule = SplitRule::relaxed);

/// The point sets of all nodes, sorted, without regard to which child is left: what a max-merge
/// sees.
std::vector<std::int32_t> unordered_form(const RelaxedKdTree& tree);

}  // namespace pointtree::geometry::test

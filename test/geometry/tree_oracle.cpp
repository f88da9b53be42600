// SPDX-License-Identifier: Apache-2.0
#include "geometry/tree_oracle.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace pointtree::geometry::test {
namespace {

/// What the definition says about the direction of a node.
std::string direction_violation(const PointsOf<double>& node, const Eigen::Vector3d& normal,
                                SplitRule rule) {
  const PointsOf<double> centred = node.rowwise() - node.colwise().mean();
  const Eigen::Matrix3d covariance = centred.transpose() * centred;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
  const double largest = solver.eigenvalues()[2];
  const double gap = (largest - solver.eigenvalues()[1]) / largest;
  if (std::abs(normal.norm() - 1.0) > 1e-12) return "normal is not of unit length";
  if (!(gap > 1e-5)) return {};
  const Eigen::Vector3d expected = solver.eigenvectors().col(2);
  if (rule == SplitRule::axis_aligned) {
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const double chosen = std::abs(expected[axis]);
    return chosen >= expected.cwiseAbs().maxCoeff() - 1e-9 && normal[axis] == 1.0
               ? std::string()
               : "axis is not the one nearest to the principal direction";
  }
  const double sine = (normal - expected * expected.dot(normal)).norm();
  return sine < 1e-12 / gap + 1e-13 ? std::string()
                                    : "normal is " + std::to_string(sine) + " from Eigen's";
}

}  // namespace

std::string violation(const RelaxedKdTree& tree, const PointsOf<double>& points, SplitRule rule) {
  const std::vector<std::int32_t>& order = tree.leaf_order();
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int32_t>(i)) return "leaf order is not a permutation";
  }
  const PointsOf<double> centred = points.rowwise() - tree.centre().transpose();
  for (std::size_t node = 0; node < tree.planes().size(); ++node) {
    int level = 0;
    while ((std::size_t{2} << level) <= node + 1) ++level;
    const std::size_t size = order.size() >> level;
    const std::size_t first = (node + 1 - (std::size_t{1} << level)) * size;
    PointsOf<double> members(size, 3);
    for (std::size_t i = 0; i < size; ++i) members.row(i) = centred.row(order[first + i]);
    const Plane& plane = tree.planes()[node];
    const std::string where = "node " + std::to_string(node) + ": ";
    const std::string wrong = direction_violation(members, plane.normal, rule);
    if (!wrong.empty()) return where + wrong;
    const Eigen::VectorXd s = members * plane.normal;
    const double left = s.head(size / 2).maxCoeff();
    const double right = s.tail(size / 2).minCoeff();
    const double rounding = 1e-14 * centred.cwiseAbs().maxCoeff();
    if (left > right + rounding) return where + "a point of the left half lies right of the other";
    if (plane.offset < left - rounding || plane.offset > right + rounding) {
      return where + "plane does not lie between its halves";
    }
  }
  return {};
}

std::vector<std::int32_t> unordered_form(const RelaxedKdTree& tree) {
  std::vector<std::int32_t> form = tree.leaf_order();
  // Swapping children so that the one with the smaller least index comes first removes the order
  // and nothing else.
  for (std::size_t half = 1; half < form.size(); half *= 2) {
    for (std::size_t first = 0; first < form.size(); first += 2 * half) {
      if (form[first] > form[first + half]) {
        std::swap_ranges(form.begin() + first, form.begin() + first + half,
                         form.begin() + first + half);
      }
    }
  }
  return form;
}

}  // namespace pointtree::geometry::test

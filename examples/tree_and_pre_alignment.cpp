// SPDX-License-Identifier: Apache-2.0

// A relaxed k-d tree over 256 points, and the canonical pose that removes an affine map.
#include <cstdio>
#include <pointtree/geometry/pre_align.hpp>
#include <pointtree/geometry/random.hpp>
#include <pointtree/geometry/relaxed_kd_tree.hpp>

using namespace pointtree::geometry;

int main() {
  Random random(1);
  Points points(256, 3);  // a skewed box: without symmetry, so that its pose is unique
  for (auto row : points.rowwise()) {
    const double x = random.uniform(0.0, 1.0);
    const double y = random.uniform(0.0, 1.0);
    row << static_cast<float>(4.0 * x * x), static_cast<float>(2.0 * y * y * y),
        static_cast<float>(x * y);
  }
  Eigen::Matrix3f affine;
  affine << 1.0F, 0.4F, 0.0F, -0.2F, 0.7F, 0.3F, 0.5F, 0.0F, 1.6F;
  const Points sheared = points * affine;  // row vectors: maps act from the right

  const PreAlignment posed = pre_align(points, PreAlignMode::canonical);
  const PreAlignment again = pre_align(sheared, PreAlignMode::canonical);
  const RelaxedKdTree tree = build_tree(posed.points);
  const RelaxedKdTree same = build_tree(again.points);
  const float moved = (posed.points - again.points).cwiseAbs().maxCoeff();

  std::printf("depth %d, %zu planes, rank %d\n", tree.depth(), tree.planes().size(), posed.rank);
  std::printf("the affine map moved the pose by %.1e of its size\n", static_cast<double>(moved));
  const bool identical = tree.leaf_order() == same.leaf_order();
  std::printf("%s trees\n", identical ? "identical" : "different");
  return identical ? 0 : 1;
}

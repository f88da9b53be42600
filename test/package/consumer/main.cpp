// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <pointtree/geometry/relaxed_kd_tree.hpp>

int main() {
  pointtree::geometry::Points points(4, 3);
  points << 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0;
  const auto tree = pointtree::geometry::build_tree(points);
  std::printf("depth %d\n", tree.depth());
  return tree.depth() == 2 ? 0 : 1;
}

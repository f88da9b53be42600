// SPDX-License-Identifier: Apache-2.0
#include "simulation/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "simulation/solids.hpp"

namespace pointtree::simulation {
namespace {

double area(const TriangleMesh& mesh) {
  double total = 0.0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto corner = [&](int k) {
      return mesh.vertices[static_cast<std::size_t>(t[k])].cast<double>().eval();
    };
    total += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
  }
  return total;
}

TEST(SampleSurface, points_are_spread_by_area) {
  TriangleMesh mesh = simulation::panel({0, 0, 0}, {3, 0, 0}, {0, 1, 0}, 0.5F);
  const std::size_t first_part = mesh.triangles.size();
  mesh += simulation::panel({0, 0, 5}, {1, 0, 0}, {0, 1, 0}, 10.0F);
  geometry::Random random(1);
  const SurfaceSample sample = sample_surface(mesh, 20000, random);
  int first = 0;
  int left_third = 0;
  for (std::size_t i = 0; i < sample.triangles.size(); ++i) {
    const auto row = sample.points.row(static_cast<Eigen::Index>(i));
    const bool in_first = static_cast<std::size_t>(sample.triangles[i]) < first_part;
    EXPECT_EQ(row.z(), in_first ? 0.0F : 5.0F);
    first += in_first ? 1 : 0;
    left_third += in_first && row.x() < 1.0F ? 1 : 0;
  }
  EXPECT_NEAR(first, 15000, 300);
  EXPECT_NEAR(left_third, 5000, 250);
}

TEST(SampleSurface, refuses_a_mesh_without_area) {
  geometry::Random random(1);
  EXPECT_THROW(sample_surface({}, 10, random), std::invalid_argument);
}

TEST(Solids, areas_are_those_of_the_formulas) {
  EXPECT_NEAR(area(box({0, 0, 0}, {1, 2, 3})), 22.0, 1e-5);
  EXPECT_NEAR(area(rod({1, 1, 1}, {1, 4, 5}, 1.0F, 1.0F, 400)), 2 * M_PI * 5 + 2 * M_PI, 0.01);
  EXPECT_NEAR(area(ball({0, 0, 0}, {2, 2, 2}, 200)), 16 * M_PI, 0.05);
  EXPECT_NEAR(area(slab({{0, 0}, {2, 0}, {2, 1}, {0, 1}}, 0.0F, 3.0F)), 2 * 2 + 6 * 3, 1e-5);
}

// Every edge of a closed surface is shared by two triangles that run along it in opposite
// directions.
TEST(Solids, blocks_are_closed_and_their_triangles_agree_on_the_outside) {
  for (const TriangleMesh& mesh :
       {box({0, 0, 0}, {1, 2, 3}), rod({0, 0, 0}, {1, 1, 1}, 0.1F, 0.2F, 7),
        slab({{0, 0}, {2, 0}, {1, 1}}, 0.0F, 3.0F), lathe({{1, 0}, {2, 1}, {1, 2}}, 9)}) {
    std::map<std::pair<int, int>, int> edges;
    for (const Eigen::Vector3i& t : mesh.triangles) {
      for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
    }
  }
}

}  // namespace
}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include "simulation/ray_caster.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "simulation/solids.hpp"

namespace pointtree::simulation {
namespace {

// Plane by plane, in double: the intersection of a ray with a triangle, or infinity.
double slow_distance(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction,
                     const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d normal = (b - a).cross(c - a);
  const double distance = normal.dot(a - origin) / normal.dot(direction);
  if (!(distance > 0.0)) return INFINITY;
  const Eigen::Vector3d point = origin + distance * direction;
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
    if ((to - from).cross(point - from).dot(normal) < 0.0) return INFINITY;
  }
  return distance;
}

TriangleMesh triangle_soup(int count, geometry::Random& random) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Eigen::RowVector3d centre = random.direction() * random.uniform(0.0, 5.0);
    for (int k = 0; k < 3; ++k) {
      mesh.vertices.emplace_back((centre + random.direction() * 0.5).cast<float>().transpose());
    }
    mesh.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  return mesh;
}

TEST(RayCaster, finds_the_same_hits_as_testing_every_triangle) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    geometry::Random random(seed);
    const TriangleMesh mesh = triangle_soup(400, random);
    const RayCaster caster(mesh);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
      const Eigen::Vector3f origin =
          (random.direction() * random.uniform(0.0, 8.0)).cast<float>().transpose();
      const Eigen::Vector3f direction = random.direction().cast<float>().transpose();
      double expected = 20.0;
      for (const Eigen::Vector3i& t : mesh.triangles) {
        const auto corner = [&](int k) {
          return mesh.vertices[static_cast<std::size_t>(t[k])].cast<double>().eval();
        };
        expected = std::min(expected, slow_distance(origin.cast<double>(), direction.cast<double>(),
                                                    corner(0), corner(1), corner(2)));
      }
      const RayHit hit = caster.cast(origin, direction, 20.0F);
      EXPECT_EQ(static_cast<bool>(hit), expected < 20.0) << i;
      if (!hit) continue;
      EXPECT_NEAR(hit.distance, expected, 1e-3) << i;
      ++hits;
    }
    EXPECT_GT(hits, 300);
  }
}

TEST(RayCaster, rays_along_the_axes_meet_a_box) {
  const RayCaster caster(simulation::box({-1.0F, -1.0F, -1.0F}, {1.0F, 1.0F, 1.0F}));
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0F, 1.0F}) {
      Eigen::Vector3f direction = Eigen::Vector3f::Zero();
      direction[axis] = sign;
      const Eigen::Vector3f beside(0.3F, 0.2F, 0.1F);
      EXPECT_NEAR(caster.cast(beside - 5.0F * direction, direction, 100.0F).distance,
                  4.0F - sign * beside[axis], 1e-5F);
      EXPECT_FALSE(caster.cast(beside + 5.0F * direction, direction, 100.0F));
      EXPECT_FALSE(caster.cast(beside - 5.0F * direction, direction, 3.0F)) << "too far";
    }
  }
}

TEST(RayCaster, empty_and_flat_meshes_meet_nothing) {
  EXPECT_FALSE(RayCaster(TriangleMesh{}).cast({0, 0, 0}, {1, 0, 0}, 10.0F));
  TriangleMesh flat;
  flat.vertices = {{1, 0, 0}, {1, 1, 0}, {1, 2, 0}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_FALSE(RayCaster(flat).cast({0, 0.5F, 0}, {1, 0, 0}, 10.0F));
}

TEST(RayCaster, many_triangles_in_one_place_are_no_problem) {
  TriangleMesh mesh;
  for (int i = 0; i < 1000; ++i) mesh += simulation::box({0, 0, 0}, {1, 1, 1});
  EXPECT_NEAR(RayCaster(mesh).cast({0.5F, 0.4F, 3.0F}, {0, 0, -1}, 10.0F).distance, 2.0F, 1e-6F);
}

}  // namespace
}  // namespace pointtree::simulation

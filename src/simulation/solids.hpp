// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "simulation/triangle_mesh.hpp"

/// Building blocks of the procedural objects: closed surfaces, metres, z up.
namespace pointtree::simulation {

using Vec2 = Eigen::Vector2f;  ///< a point in a plane
using Vec3 = Eigen::Vector3f;  ///< a point in space

/// A box from one corner to the other.
TriangleMesh box(const Vec3& low, const Vec3& high);

/// A box of this size standing with the middle of its bottom at `base`.
TriangleMesh block(const Vec3& base, const Vec3& size);

/// A surface of revolution about z through points (radius, height), from bottom to top; ends with a
/// radius above 0 are closed where wanted.
TriangleMesh lathe(const std::vector<Vec2>& profile, int sides = 24, bool closed = true);

/// A (truncated) cone or cylinder from one point to another.
TriangleMesh rod(const Vec3& from, const Vec3& to, float radius_from, float radius_to,
                 int sides = 12);

/// A cylinder from one point to another.
inline TriangleMesh rod(const Vec3& from, const Vec3& to, float radius) {
  return rod(from, to, radius, radius);
}

/// A chain of rods with round joints.
TriangleMesh tube(const std::vector<Vec3>& path, float radius, int sides = 10);

/// An ellipsoid.
TriangleMesh ball(const Vec3& centre, const Vec3& radii, int sides = 16);

/// A sphere.
inline TriangleMesh ball(const Vec3& centre, float radius) {
  return ball(centre, Vec3::Constant(radius));
}

/// A polygon in the xz plane (counter-clockwise seen from −y, star-shaped about its centroid),
/// given thickness from y = low to y = high.
TriangleMesh slab(const std::vector<Vec2>& outline, float low, float high);

/// A rectangular grid of two triangles per cell; cells are at most `cell` wide, so that large
/// surfaces stay local.
TriangleMesh panel(const Vec3& corner, const Vec3& along, const Vec3& across, float cell = 1.0F);

/// Skin between cross-sections of equal point counts, closed at both ends.
TriangleMesh loft(const std::vector<std::vector<Vec3>>& sections);

/// Moves and turns (radians about z).
TriangleMesh moved(const TriangleMesh& mesh, const Vec3& by, float turn = 0.0F);

/// Turns about an axis through a point, in radians.
TriangleMesh turned(const TriangleMesh& mesh, const Vec3& about, const Vec3& axis, float angle);

/// Several meshes as one.
TriangleMesh join(const std::vector<TriangleMesh>& parts);

}  // namespace pointtree::simulation

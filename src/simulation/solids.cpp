// SPDX-License-Identifier: Apache-2.0
#include "simulation/solids.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::simulation {
namespace {

constexpr float kTwoPi = 6.2831853F;

void add_quad(TriangleMesh& mesh, int a, int b, int c, int d) {
  mesh.triangles.emplace_back(a, b, c);
  mesh.triangles.emplace_back(a, c, d);
}

// Joins two rings of equal length that lie one after the other in the mesh.
void join_rings(TriangleMesh& mesh, int first, int second, int count) {
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    add_quad(mesh, first + i, first + next, second + next, second + i);
  }
}

void cap_ring(TriangleMesh& mesh, int first, int count, bool upwards) {
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < count; ++i) centre += mesh.vertices[first + i];
  mesh.vertices.emplace_back(centre / static_cast<float>(count));
  const auto middle = static_cast<int>(mesh.vertices.size()) - 1;
  for (int i = 0; i < count; ++i) {
    const int a = first + i;
    const int b = first + (i + 1) % count;
    mesh.triangles.emplace_back(middle, upwards ? a : b, upwards ? b : a);
  }
}

}  // namespace

TriangleMesh box(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back((i & 1) != 0 ? high.x() : low.x(), (i & 2) != 0 ? high.y() : low.y(),
                               (i & 4) != 0 ? high.z() : low.z());
  }
  add_quad(mesh, 0, 2, 3, 1);
  add_quad(mesh, 4, 5, 7, 6);
  add_quad(mesh, 0, 1, 5, 4);
  add_quad(mesh, 2, 6, 7, 3);
  add_quad(mesh, 0, 4, 6, 2);
  add_quad(mesh, 1, 3, 7, 5);
  return mesh;
}

TriangleMesh block(const Vec3& base, const Vec3& size) {
  const Vec3 half(size.x() / 2, size.y() / 2, 0.0F);
  return box(base - half, base + half + Vec3(0.0F, 0.0F, size.z()));
}

TriangleMesh lathe(const std::vector<Vec2>& profile, int sides, bool closed) {
  TriangleMesh mesh;
  for (const Vec2& point : profile) {
    for (int i = 0; i < sides; ++i) {
      const float angle = kTwoPi * static_cast<float>(i) / static_cast<float>(sides);
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle),
                                 point.y());
    }
  }
  const auto rings = static_cast<int>(profile.size());
  for (int ring = 0; ring + 1 < rings; ++ring)
    join_rings(mesh, ring * sides, (ring + 1) * sides, sides);
  if (closed) {
    cap_ring(mesh, 0, sides, false);
    cap_ring(mesh, (rings - 1) * sides, sides, true);
  }
  return mesh;
}

TriangleMesh rod(const Vec3& from, const Vec3& to, float radius_from, float radius_to, int sides) {
  const Vec3 way = to - from;
  const TriangleMesh upright = lathe({{radius_from, 0.0F}, {radius_to, way.norm()}}, sides);
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  map.translate(from);
  map.rotate(Eigen::Quaternionf::FromTwoVectors(Vec3::UnitZ(), way));
  return transformed(upright, map);
}

TriangleMesh tube(const std::vector<Vec3>& path, float radius, int sides) {
  TriangleMesh mesh;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    mesh += rod(path[i], path[i + 1], radius, radius, sides);
    if (i > 0) mesh += ball(path[i], Vec3::Constant(radius), 8);
  }
  return mesh;
}

TriangleMesh ball(const Vec3& centre, const Vec3& radii, int sides) {
  const int rings = std::max(4, sides / 2);
  std::vector<Vec2> profile;
  for (int i = 0; i <= rings; ++i) {
    const float angle = kTwoPi / 2 * (static_cast<float>(i) / static_cast<float>(rings) - 0.5F);
    profile.emplace_back(std::cos(angle), std::sin(angle));
  }
  TriangleMesh mesh = lathe(profile, sides, false);
  for (Vec3& vertex : mesh.vertices) vertex = centre + vertex.cwiseProduct(radii);
  return mesh;
}

TriangleMesh slab(const std::vector<Vec2>& outline, float low, float high) {
  std::vector<std::vector<Vec3>> sections(2);
  for (const Vec2& point : outline) {
    sections[0].emplace_back(point.x(), low, point.y());
    sections[1].emplace_back(point.x(), high, point.y());
  }
  return loft(sections);
}

TriangleMesh panel(const Vec3& corner, const Vec3& along, const Vec3& across, float cell) {
  const int columns = std::max(1, static_cast<int>(std::ceil(along.norm() / cell - 1e-4F)));
  const int rows = std::max(1, static_cast<int>(std::ceil(across.norm() / cell - 1e-4F)));
  TriangleMesh mesh;
  for (int row = 0; row <= rows; ++row) {
    for (int column = 0; column <= columns; ++column) {
      mesh.vertices.emplace_back(
          corner + along * (static_cast<float>(column) / static_cast<float>(columns)) +
          across * (static_cast<float>(row) / static_cast<float>(rows)));
    }
  }
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int at = row * (columns + 1) + column;
      add_quad(mesh, at, at + 1, at + columns + 2, at + columns + 1);
    }
  }
  return mesh;
}

TriangleMesh loft(const std::vector<std::vector<Vec3>>& sections) {
  TriangleMesh mesh;
  const auto count = static_cast<int>(sections.front().size());
  for (const auto& section : sections) {
    mesh.vertices.insert(mesh.vertices.end(), section.begin(), section.end());
  }
  const auto rings = static_cast<int>(sections.size());
  for (int ring = 0; ring + 1 < rings; ++ring)
    join_rings(mesh, ring * count, (ring + 1) * count, count);
  cap_ring(mesh, 0, count, false);
  cap_ring(mesh, (rings - 1) * count, count, true);
  return mesh;
}

TriangleMesh moved(const TriangleMesh& mesh, const Vec3& by, float turn) {
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  map.translate(by);
  map.rotate(Eigen::AngleAxisf(turn, Vec3::UnitZ()));
  return transformed(mesh, map);
}

TriangleMesh turned(const TriangleMesh& mesh, const Vec3& about, const Vec3& axis, float angle) {
  Eigen::Affine3f map = Eigen::Affine3f::Identity();
  map.translate(about);
  map.rotate(Eigen::AngleAxisf(angle, axis.normalized()));
  map.translate(-about);
  return transformed(mesh, map);
}

TriangleMesh join(const std::vector<TriangleMesh>& parts) {
  TriangleMesh mesh;
  for (const TriangleMesh& part : parts) mesh += part;
  return mesh;
}

}  // namespace pointtree::simulation

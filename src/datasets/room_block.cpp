// SPDX-License-Identifier: Apache-2.0
#include "room_block.hpp"

#include <vector>

#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

constexpr float kHalfDiagonal = 0.7072F;  // of a square with edge 1
constexpr double kTwoPi = 6.283185307179586;
constexpr std::int32_t kBatch = 1024;
constexpr int kMaximumBatches = 64;
constexpr float kSurfaceNoise = 0.004F;

// The triangles near the block, and of which class each is.
struct NearSurface {
  simulation::TriangleMesh mesh;
  std::vector<std::int32_t> labels;
};

NearSurface near_surface(const simulation::Scene& room, const Eigen::Vector2f& middle,
                         float reach) {
  NearSurface near;
  const Eigen::AlignedBox2f around(middle.array() - reach, middle.array() + reach);
  for (const simulation::SceneObject& object : room.objects) {
    for (const Eigen::Vector3i& triangle : object.mesh.triangles) {
      Eigen::AlignedBox2f box;
      for (int k = 0; k < 3; ++k)
        box.extend(object.mesh.vertices[static_cast<std::size_t>(triangle[k])].head<2>());
      if (!box.intersects(around)) continue;
      const auto first = static_cast<int>(near.mesh.vertices.size());
      for (int k = 0; k < 3; ++k)
        near.mesh.vertices.push_back(object.mesh.vertices[static_cast<std::size_t>(triangle[k])]);
      near.mesh.triangles.emplace_back(first, first + 1, first + 2);
      near.labels.push_back(object.label);
    }
  }
  return near;
}

std::vector<Eigen::Vector3f> choose_eyes(const simulation::Scene& room, geometry::Random& random) {
  std::vector<Eigen::Vector3f> eyes;
  const std::size_t count = 1 + random.below(3);
  eyes.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    eyes.emplace_back(room.way[random.below(room.way.size())].cast<float>());
  return eyes;
}

bool seen_from_any(const simulation::SceneCaster& caster, const std::vector<Eigen::Vector3f>& eyes,
                   const Eigen::Vector3f& point) {
  for (const Eigen::Vector3f& eye : eyes) {
    const Eigen::Vector3f ray = point - eye;
    // Just short of the point itself.
    if (caster.cast(eye, ray, 0.998F).object < 0) return true;
  }
  return false;
}

}  // namespace

Example cut_block(const simulation::Scene& room, const BlockShape& shape, bool seen_only,
                  geometry::Random& random) {
  const std::int32_t count = shape.points;
  const auto half = static_cast<float>(shape.edge / 2.0);
  Eigen::AlignedBox3f extent;
  for (const simulation::SceneObject& object : room.objects) {
    if (object.instance == 0) extent.extend(simulation::bounds(object.mesh));
  }
  Eigen::Vector2f middle;
  middle.x() = static_cast<float>(random.uniform(extent.min().x(), extent.max().x()));
  middle.y() = static_cast<float>(random.uniform(extent.min().y(), extent.max().y()));
  const Eigen::Rotation2Df to_block(static_cast<float>(-random.uniform(0.0, kTwoPi)));
  const NearSurface near = near_surface(room, middle, 2.0F * half * kHalfDiagonal);
  const std::vector<Eigen::Vector3f> eyes = choose_eyes(room, random);
  const simulation::SceneCaster caster(seen_only ? room : simulation::Scene{});

  Example example;
  std::vector<Eigen::RowVector3f> points;
  for (int batch = 0; batch < kMaximumBatches && static_cast<std::int32_t>(points.size()) < count;
       ++batch) {
    const simulation::SurfaceSample sample = simulation::sample_surface(near.mesh, kBatch, random);
    for (Eigen::Index i = 0;
         i < sample.points.rows() && static_cast<std::int32_t>(points.size()) < count; ++i) {
      const Eigen::Vector3f point = sample.points.row(i).transpose();
      const Eigen::Vector2f local = to_block * (point.head<2>() - middle);
      if (local.cwiseAbs().maxCoeff() > half) continue;
      if (seen_only && !seen_from_any(caster, eyes, point)) continue;
      points.emplace_back(local.x(), local.y(), point.z());
      for (int k = 0; k < 3; ++k)
        points.back()[k] += kSurfaceNoise * static_cast<float>(random.normal());
      example.point_labels.push_back(
          near.labels[static_cast<std::size_t>(sample.triangles[static_cast<std::size_t>(i)])]);
    }
  }
  if (points.empty()) return cut_block(room, shape, false, random);  // hidden from all eyes
  example.points.resize(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    example.points.row(static_cast<Eigen::Index>(i)) = points[i];
  return example;
}

}  // namespace pointtree::datasets

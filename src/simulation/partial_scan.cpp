// SPDX-License-Identifier: Apache-2.0
#include "simulation/partial_scan.hpp"

#include <cmath>
#include <vector>

#include "geometry/seed.hpp"
#include "simulation/ray_caster.hpp"

namespace pointtree::simulation {
namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kTwoPi = 6.283185307179586;
constexpr int kColumnsPerRow = 2;  // lidars resolve finer around than up and down
constexpr int kSharpenings = 4;

// Rays over a square view that just holds the sphere about the object.
void cast_view(const RayCaster& caster, const Eigen::Vector3d& centre, double radius,
               const Eigen::Vector3d& eye, int rows, const PartialScanConfig& config,
               geometry::Random& random, std::vector<Eigen::RowVector3f>& points) {
  const Eigen::Vector3d ahead = centre - eye;
  const double half_angle = std::asin(std::min(0.99, radius / ahead.norm()));
  const double azimuth = std::atan2(ahead.y(), ahead.x());
  const double elevation = std::atan2(ahead.z(), ahead.head<2>().norm());
  const int columns = rows * kColumnsPerRow;
  const auto place = [&](int i, int count) { return half_angle * (2.0 * (i + 0.5) / count - 1.0); };
  for (int row = 0; row < rows; ++row) {
    const double up = elevation + place(row, rows);
    for (int column = 0; column < columns; ++column) {
      const double around = azimuth + place(column, columns) / std::cos(elevation);
      const Eigen::Vector3d direction(std::cos(up) * std::cos(around),
                                      std::cos(up) * std::sin(around), std::sin(up));
      const RayHit hit = caster.cast(eye.cast<float>(), direction.cast<float>(),
                                     static_cast<float>(4.0 * ahead.norm()));
      if (!hit || geometry::chance(random, config.drop_out)) continue;
      const double range = hit.distance + config.noise * radius * random.normal();
      points.emplace_back((eye + range * direction).cast<float>().transpose());
    }
  }
}

}  // namespace

geometry::Points partial_scan(const TriangleMesh& object, const PartialScanConfig& config,
                              geometry::Random& random) {
  const RayCaster caster(object);
  const Eigen::AlignedBox3f box = bounds(object);
  const Eigen::Vector3d centre = box.center().cast<double>();
  const double radius = box.diagonal().norm() / 2.0;
  const auto choices = static_cast<std::uint64_t>(config.rows_high - config.rows_low + 1);
  int rows = config.rows_low + static_cast<int>(random.below(choices));
  std::vector<Eigen::RowVector3f> points;
  for (int attempt = 0; attempt < kSharpenings; ++attempt, rows *= 2) {
    points.clear();
    for (int view = 0; view < config.viewpoints; ++view) {
      const double azimuth = random.uniform(0.0, kTwoPi);
      const double elevation =
          random.uniform(config.elevation_low, config.elevation_high) * kDegree;
      const double distance = random.uniform(config.distance_low, config.distance_high) * radius;
      const Eigen::Vector3d direction(std::cos(azimuth) * std::cos(elevation),
                                      std::sin(azimuth) * std::cos(elevation), std::sin(elevation));
      cast_view(caster, centre, radius, centre + distance * direction, rows, config, random,
                points);
    }
    if (static_cast<int>(points.size()) >= config.minimum_points) break;
  }
  geometry::Points cloud(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    cloud.row(static_cast<Eigen::Index>(i)) = points[i];
  return cloud;
}

}  // namespace pointtree::simulation

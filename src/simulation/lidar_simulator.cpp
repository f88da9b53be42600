// SPDX-License-Identifier: Apache-2.0
#include "simulation/lidar_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/seed.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "simulation/ray_caster.hpp"

namespace pointtree::simulation {
namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kTwoPi = 6.283185307179586;

Eigen::Isometry3d between_poses(const Eigen::Isometry3d& begin, const Eigen::Isometry3d& end,
                                double share) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(begin.linear())
                      .slerp(share, Eigen::Quaterniond(end.linear()))
                      .toRotationMatrix();
  pose.translation() = begin.translation() + share * (end.translation() - begin.translation());
  return pose;
}

double elevation_of_row(const LidarConfig& config, int row) {
  if (config.beams == 1) return config.elevation_low * kDegree;
  const double share = static_cast<double>(row) / (config.beams - 1);
  return (config.elevation_high + share * (config.elevation_low - config.elevation_high)) * kDegree;
}

Scan empty_scan(const LidarConfig& config, const Eigen::Isometry3d& pose) {
  Scan scan;
  scan.rows = config.beams;
  scan.columns = config.columns;
  scan.pose = pose;
  const auto count =
      static_cast<std::size_t>(config.beams) * static_cast<std::size_t>(config.columns);
  scan.points.setConstant(static_cast<Eigen::Index>(count), 3,
                          std::numeric_limits<float>::quiet_NaN());
  scan.intensity.assign(count, 0.0F);
  scan.labels.assign(count, io::kNoLabel);
  scan.instances.assign(count, 0);
  for (int column = 0; column < config.columns; ++column) {
    scan.column_times.push_back(
        static_cast<float>(column / (config.turns_per_second * config.columns)));
  }
  return scan;
}

}  // namespace

void validate(const LidarConfig& config) {
  const auto expect = [](bool fits, const std::string& message) {
    if (!fits) throw std::invalid_argument("lidar: " + message);
  };
  expect(config.beams >= 1 && config.beams <= 4096, "beams should be in 1 to 4096");
  expect(config.columns >= 1 && config.columns <= 65536, "columns should be in 1 to 65536");
  expect(config.elevation_low >= -90.0 && config.elevation_low <= config.elevation_high &&
             config.elevation_high <= 90.0,
         "elevation_low to elevation_high should lie in -90 to 90 degrees");
  expect(config.range_low >= 0.0 && config.range_low < config.range_high,
         "range_low should be below range_high");
  expect(config.range_noise >= 0.0, "range_noise should not be negative");
  expect(config.drop_out >= 0.0 && config.drop_out <= 1.0, "drop_out should be in 0 to 1");
  expect(config.turns_per_second > 0.0, "turns_per_second should be positive");
}

Scan scan_scene(const simulation::Scene& scene, const simulation::SceneCaster& caster,
                const LidarConfig& config, const Eigen::Isometry3d& begin,
                const Eigen::Isometry3d& end, std::uint64_t seed) {
  validate(config);
  Scan scan = empty_scan(config, begin);
  geometry::Random random(seed);
  const Eigen::Isometry3d to_begin = begin.inverse();
  for (int column = 0; column < config.columns; ++column) {
    const double share = static_cast<double>(column) / config.columns;
    const Eigen::Isometry3d pose = between_poses(begin, end, share);
    const double azimuth = -kTwoPi * share;  // clockwise seen from above, as most lidars turn
    for (int row = 0; row < config.beams; ++row) {
      const double elevation = elevation_of_row(config, row);
      const Eigen::Vector3d beam(std::cos(elevation) * std::cos(azimuth),
                                 std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
      const Eigen::Vector3d direction = pose.linear() * beam;
      const auto hit = caster.cast(pose.translation().cast<float>(), direction.cast<float>(),
                                   static_cast<float>(config.range_high));
      if (hit.object < 0 || hit.distance < config.range_low ||
          geometry::chance(random, config.drop_out))
        continue;
      const double range = hit.distance + config.range_noise * random.normal();
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(config.columns) +
                      static_cast<std::size_t>(column);
      const Eigen::Vector3d point = to_begin * (pose.translation() + range * direction);
      scan.points.row(at) = point.cast<float>();
      const auto& object = scene.objects[hit.object];
      scan.labels[at] = object.label;
      scan.instances[at] = object.instance;
      const double facing = std::abs(hit.normal.cast<double>().dot(direction));
      scan.intensity[at] = static_cast<float>(facing * (1.0 - hit.distance / config.range_high));
    }
  }
  return scan;
}

Scan scan_scene(const simulation::Scene& scene, const simulation::SceneCaster& caster,
                const LidarConfig& config, const Eigen::Isometry3d& pose, std::uint64_t seed) {
  return scan_scene(scene, caster, config, pose, pose, seed);
}

io::Cloud to_cloud(const Scan& scan) {
  io::Cloud cloud;
  cloud.points = scan.points;
  cloud.intensity = scan.intensity;
  cloud.labels = scan.labels;
  cloud.width = static_cast<std::uint32_t>(scan.columns);
  cloud.height = static_cast<std::uint32_t>(scan.rows);
  return cloud;
}

LabelledPoints merge_scans(const std::vector<Scan>& scans) {
  std::size_t count = 0;
  for (const Scan& scan : scans) {
    count += static_cast<std::size_t>(
        std::count_if(scan.labels.begin(), scan.labels.end(),
                      [](std::int32_t label) { return label != io::kNoLabel; }));
  }
  LabelledPoints merged;
  merged.points.resize(static_cast<Eigen::Index>(count), 3);
  Eigen::Index next = 0;
  for (const Scan& scan : scans) {
    for (std::size_t i = 0; i < scan.labels.size(); ++i) {
      if (scan.labels[i] == io::kNoLabel) continue;
      const Eigen::Vector3d point = scan.points.row(i).cast<double>().transpose();
      merged.points.row(next++) = (scan.pose * point).cast<float>();
      merged.labels.push_back(scan.labels[i]);
      merged.instances.push_back(scan.instances[i]);
    }
  }
  return merged;
}

namespace {

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
  for (std::size_t i = 0; i < points.size(); ++i) cloud.row(i) = points[i];
  return cloud;
}

}  // namespace pointtree::simulation

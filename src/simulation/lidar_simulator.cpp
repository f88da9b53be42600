// SPDX-License-Identifier: Apache-2.0
#include "simulation/lidar_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "geometry/seed.hpp"
#include "pointtree/io/cloud_file.hpp"

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
      scan.points.row(static_cast<Eigen::Index>(at)) = point.cast<float>();
      const auto& object = scene.objects[static_cast<std::size_t>(hit.object)];
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
      const Eigen::Vector3d point =
          scan.points.row(static_cast<Eigen::Index>(i)).cast<double>().transpose();
      merged.points.row(next++) = (scan.pose * point).cast<float>();
      merged.labels.push_back(scan.labels[i]);
      merged.instances.push_back(scan.instances[i]);
    }
  }
  return merged;
}

}  // namespace pointtree::simulation

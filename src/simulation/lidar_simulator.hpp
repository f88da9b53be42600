// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "simulation/scene.hpp"
#include "simulation/triangle_mesh.hpp"

namespace pointtree::simulation {

/// A spinning lidar: `beams` lasers one above the other that turn once per scan.
struct LidarConfig {
  int beams = 64;
  int columns = 1024;            ///< firings per turn
  double elevation_low = -24.8;  ///< degrees of the lowest and the highest beam
  double elevation_high = 2.0;
  double range_low = 0.5;  ///< metres; nothing nearer or farther is reported
  double range_high = 100.0;
  double range_noise = 0.02;     ///< standard deviation in metres along the beam
  double drop_out = 0.05;        ///< share of returns that is lost at random
  double turns_per_second = 10;  ///< how fast it spins, for the times of the columns
};

/// Throws std::invalid_argument naming the first value that makes no sense.
void validate(const LidarConfig& config);

/// One turn of the sensor, organised: row 0 is the highest beam, point (r, c) is at r · columns +
/// c.
struct Scan {
  int rows = 0;
  int columns = 0;
  Eigen::Isometry3d pose =
      Eigen::Isometry3d::Identity();  ///< sensor to scene at the begin of the turn
  double time = 0.0;                  ///< seconds, of that begin
  geometry::Points points;  ///< in the sensor's frame at that begin; NaN where nothing came back
  std::vector<float> intensity;     ///< 0 to 1: less the farther and the more slanting
  std::vector<float> column_times;  ///< seconds after the begin, per column
  std::vector<std::int32_t>
      labels;  ///< index into Scene::classes; io::kNoLabel where nothing came back
  std::vector<std::int32_t> instances;  ///< SceneObject::instance; 0 where nothing came back
};

/// Scans from one place.
Scan scan_scene(const simulation::Scene& scene, const simulation::SceneCaster& caster,
                const LidarConfig& config, const Eigen::Isometry3d& pose, std::uint64_t seed);

/// Scans while moving evenly from the first pose to the second; points are corrected for the
/// motion.
Scan scan_scene(const simulation::Scene& scene, const simulation::SceneCaster& caster,
                const LidarConfig& config, const Eigen::Isometry3d& begin,
                const Eigen::Isometry3d& end, std::uint64_t seed);

/// A scan as an organised cloud with intensity and labels, for files and messages.
io::Cloud to_cloud(const Scan& scan);

/// The points that came back.
struct LabelledPoints {
  geometry::Points points;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> instances;
};

/// Several scans as one cloud in the scene's frame, without the points that are missing.
LabelledPoints merge_scans(const std::vector<Scan>& scans);

/// How a single object is looked at by a lidar. Distances are in units of half the diagonal of its
/// bounding box.
struct PartialScanConfig {
  double distance_low = 2.5;
  double distance_high = 12.0;
  double elevation_low = -5.0;  ///< degrees; from where it is seen
  double elevation_high = 40.0;
  int rows_low = 12;  ///< beams over the object
  int rows_high = 64;
  double noise = 0.004;
  double drop_out = 0.1;
  int viewpoints = 1;
  int minimum_points = 64;  ///< sharper eyes are taken until this many points come back
};

/// The points of an object that came back to a lidar at a random place, in the object's frame.
geometry::Points partial_scan(const TriangleMesh& object, const PartialScanConfig& config,
                              geometry::Random& random);

}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/random.hpp"
#include "simulation/lidar_simulator.hpp"
#include "simulation/scene.hpp"

namespace pointtree::simulation {

/// A drive or walk through a scene.
struct SimulationConfig {
  LidarConfig lidar;
  int frames = 10;
  double speed = 5.0;  ///< metres per second along the scene's way; the way's end stops the sensor
  double tilt = 0.0;   ///< degrees by which the sensor is mounted forwards
  simulation::StreetConfig street;
};

/// A scene and what a moving sensor saw of it, one scan per turn.
struct Simulation {
  simulation::Scene scene;
  std::vector<Scan> scans;
};

/// The configuration of a walk through a room: a lidar that looks up and down alike, at walking
/// speed.
SimulationConfig indoor_simulation();

/// Drives through make_street(seed).
Simulation simulate_street(std::uint64_t seed, const SimulationConfig& config = {});

/// Walks through make_room(seed).
Simulation simulate_room(std::uint64_t seed, const SimulationConfig& config = indoor_simulation());

/// Where the sensor is after so many metres of a scene's way, looking ahead along it; throws
/// std::invalid_argument for a scene without a way.
Eigen::Isometry3d pose_on_way(const simulation::Scene& scene, double metres);

/// One turn of the lidar from anywhere on the scene's way, in the sensor's own frame.
LabelledPoints scan_from_way(const Scene& scene, geometry::Random& random);

}  // namespace pointtree::simulation

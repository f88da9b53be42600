// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.hpp"

#include <cmath>
#include <stdexcept>

#include "geometry/seed.hpp"

namespace pointtree::simulation {
namespace {

constexpr double kDegree = 0.017453292519943295;

Simulation travel(simulation::Scene scene, std::uint64_t seed, const SimulationConfig& config) {
  validate(config.lidar);
  if (config.frames < 0 || !(config.speed >= 0.0)) {
    throw std::invalid_argument("simulation: frames and speed should not be negative");
  }
  const simulation::SceneCaster caster(scene);
  const Eigen::Isometry3d mount(Eigen::AngleAxisd(config.tilt * kDegree, Eigen::Vector3d::UnitY()));
  const double turn = 1.0 / config.lidar.turns_per_second;
  Simulation simulation;
  for (int frame = 0; frame < config.frames; ++frame) {
    const double begin = config.speed * turn * frame;
    Scan scan = scan_scene(scene, caster, config.lidar, pose_on_way(scene, begin) * mount,
                           pose_on_way(scene, begin + config.speed * turn) * mount,
                           geometry::mix_seed({seed, static_cast<std::uint64_t>(frame)}));
    scan.time = turn * frame;
    simulation.scans.push_back(std::move(scan));
  }
  simulation.scene = std::move(scene);
  return simulation;
}

}  // namespace

SimulationConfig indoor_simulation() {
  SimulationConfig config;
  config.lidar.elevation_low = -45.0;
  config.lidar.elevation_high = 45.0;
  config.lidar.range_low = 0.2;
  config.lidar.range_high = 30.0;
  config.lidar.range_noise = 0.01;
  config.speed = 0.8;
  return config;
}

Simulation simulate_street(std::uint64_t seed, const SimulationConfig& config) {
  return travel(simulation::make_street(seed, config.street), seed, config);
}

Simulation simulate_room(std::uint64_t seed, const SimulationConfig& config) {
  return travel(simulation::make_room(seed), seed, config);
}

Eigen::Isometry3d pose_on_way(const simulation::Scene& scene, double metres) {
  if (scene.way.size() < 2) throw std::invalid_argument("scene has no way to travel");
  std::size_t leg = 0;
  double left = metres;
  double length = (scene.way[1] - scene.way[0]).norm();
  while (left > length && leg + 2 < scene.way.size()) {
    left -= length;
    ++leg;
    length = (scene.way[leg + 1] - scene.way[leg]).norm();
  }
  const Eigen::Vector3d direction = scene.way[leg + 1] - scene.way[leg];
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = scene.way[leg] + direction * std::min(left / length, 1.0);
  pose.linear() =
      Eigen::AngleAxisd(std::atan2(direction.y(), direction.x()), Eigen::Vector3d::UnitZ())
          .toRotationMatrix();
  return pose;
}

LabelledPoints scan_from_way(const Scene& scene, geometry::Random& random) {
  const SceneCaster caster(scene);
  const Eigen::Isometry3d pose = pose_on_way(scene, random.uniform(0.0, 76.0));
  Scan scan = scan_scene(scene, caster, {}, pose, random.below(~std::uint64_t{0}));
  scan.pose.setIdentity();  // merged in the sensor's own frame
  return merge_scans({scan});
}

}  // namespace pointtree::simulation

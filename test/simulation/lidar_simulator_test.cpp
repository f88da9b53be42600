// SPDX-License-Identifier: Apache-2.0
#include "simulation/lidar_simulator.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "pointtree/datasets/dataset.hpp"
#include "simulation/simulation.hpp"
#include "simulation/solids.hpp"
#include "temporary_folder.hpp"

namespace pointtree::simulation {
namespace {

// A hall of 20 m × 20 m around the origin: floor at −1, four walls up to 6 m, labelled by their
// order.
simulation::Scene hall() {
  using simulation::panel;
  simulation::Scene scene;
  scene.classes = {"floor", "east", "north", "west", "south"};
  const auto add = [&](const TriangleMesh& mesh) {
    const auto label = static_cast<std::int32_t>(scene.objects.size());
    scene.objects.push_back(
        {scene.classes[static_cast<std::size_t>(label)], label, label, {}, mesh});
  };
  add(panel({-10, -10, -1}, {20, 0, 0}, {0, 20, 0}));
  add(panel({10, -10, -1}, {0, 20, 0}, {0, 0, 7}));
  add(panel({-10, 10, -1}, {20, 0, 0}, {0, 0, 7}));
  add(panel({-10, -10, -1}, {0, 20, 0}, {0, 0, 7}));
  add(panel({-10, -10, -1}, {20, 0, 0}, {0, 0, 7}));
  scene.way = {{-5, 0, 0}, {5, 0, 0}};
  return scene;
}

LidarConfig exact() {
  LidarConfig config;
  config.beams = 16;
  config.columns = 360;
  config.elevation_low = -30.0;
  config.elevation_high = 10.0;
  config.range_noise = 0.0;
  config.drop_out = 0.0;
  return config;
}

// How far a point of the hall lies from the surface that its label names.
double error_in_hall(const Eigen::Vector3d& point, std::int32_t label) {
  switch (label) {
    case 0:
      return std::abs(point.z() + 1.0);
    case 1:
      return std::abs(point.x() - 10.0);
    case 2:
      return std::abs(point.y() - 10.0);
    case 3:
      return std::abs(point.x() + 10.0);
    default:
      return std::abs(point.y() + 10.0);
  }
}

double worst_error(const Scan& scan) {
  double worst = 0.0;
  for (std::size_t i = 0; i < scan.labels.size(); ++i) {
    if (scan.labels[i] == datasets::kNoLabel) continue;
    const Eigen::Vector3d point =
        scan.pose * scan.points.row(static_cast<Eigen::Index>(i)).cast<double>().transpose();
    worst = std::max(worst, error_in_hall(point, scan.labels[i]));
  }
  return worst;
}

TEST(LidarSimulator, points_lie_where_the_beams_meet_the_surfaces) {
  const simulation::Scene scene = hall();
  const simulation::SceneCaster caster(scene);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << 2.0, -3.0, 0.5;
  pose.rotate(Eigen::AngleAxisd(0.2, Eigen::Vector3d(1.0, 2.0, 3.0).normalized()));
  const Scan scan = scan_scene(scene, caster, exact(), pose, 1);
  EXPECT_EQ(scan.points.rows(), 16 * 360);
  EXPECT_EQ(std::count(scan.labels.begin(), scan.labels.end(), datasets::kNoLabel), 0);
  EXPECT_LT(worst_error(scan), 1e-4);
  for (int row = 0; row < scan.rows; ++row) {
    // In the sensor's own frame a beam keeps its elevation.
    const auto point = scan.points.row(static_cast<Eigen::Index>(row) * scan.columns + 17);
    const double elevation = std::atan2(point.z(), point.head<2>().norm()) * 180.0 / M_PI;
    EXPECT_NEAR(elevation, 10.0 - 40.0 * row / 15.0, 1e-3);
  }
}

TEST(LidarSimulator, motion_is_corrected_for) {
  const simulation::Scene scene = hall();
  const simulation::SceneCaster caster(scene);
  Eigen::Isometry3d begin = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d end = begin;
  end.translation() << 2.0, 1.0, 0.0;
  end.rotate(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()));
  EXPECT_LT(worst_error(scan_scene(scene, caster, exact(), begin, end, 1)), 1e-4);
}

TEST(LidarSimulator, noise_and_drop_out_have_the_wanted_size) {
  const simulation::Scene scene = hall();
  const simulation::SceneCaster caster(scene);
  LidarConfig config = exact();
  const Scan clean = scan_scene(scene, caster, config, Eigen::Isometry3d::Identity(), 1);
  config.range_noise = 0.05;
  config.drop_out = 0.2;
  const Scan noisy = scan_scene(scene, caster, config, Eigen::Isometry3d::Identity(), 1);
  double square = 0.0;
  int count = 0;
  for (Eigen::Index i = 0; i < clean.points.rows(); ++i) {
    if (noisy.labels[static_cast<std::size_t>(i)] == datasets::kNoLabel) continue;
    const double error = noisy.points.row(i).norm() - clean.points.row(i).norm();
    square += error * error;
    ++count;
  }
  EXPECT_NEAR(std::sqrt(square / count), 0.05, 0.003);
  EXPECT_NEAR(count / static_cast<double>(clean.points.rows()), 0.8, 0.02);
}

TEST(LidarSimulator, nothing_beyond_its_range_comes_back) {
  const simulation::Scene scene = hall();
  const simulation::SceneCaster caster(scene);
  LidarConfig config = exact();
  config.range_low = 3.0;
  config.range_high = 8.0;
  const Scan scan = scan_scene(scene, caster, config, Eigen::Isometry3d::Identity(), 1);
  int missing = 0;
  for (Eigen::Index i = 0; i < scan.points.rows(); ++i) {
    if (scan.labels[static_cast<std::size_t>(i)] == datasets::kNoLabel) {
      EXPECT_FALSE(scan.points.row(i).allFinite());
      ++missing;
      continue;
    }
    EXPECT_GE(scan.points.row(i).norm(), 2.999F);
    EXPECT_LE(scan.points.row(i).norm(), 8.001F);
  }
  EXPECT_GT(missing, 0);
  EXPECT_EQ(merge_scans({scan, scan}).points.rows(), 2 * (scan.points.rows() - missing));
}

TEST(LidarSimulator, nonsense_is_refused_by_name) {
  LidarConfig config;
  config.range_low = 200.0;
  EXPECT_THAT(test::error_of([&] { validate(config); }), ::testing::HasSubstr("range_low"));
  config = {};
  config.beams = 0;
  EXPECT_THAT(test::error_of([&] { validate(config); }), ::testing::HasSubstr("beams"));
}

TEST(Simulation, frames_follow_the_way_and_repeat_exactly) {
  SimulationConfig config;
  config.frames = 3;
  config.lidar.beams = 16;
  config.lidar.columns = 128;
  const Simulation a = simulate_street(5, config);
  const Simulation b = simulate_street(5, config);
  ASSERT_EQ(a.scans.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a.scans[i].labels, b.scans[i].labels);
    EXPECT_NEAR(a.scans[i].time, 0.1 * static_cast<double>(i), 1e-12);
    EXPECT_NEAR((a.scans[i].pose.translation() - a.scene.way[0]).norm(),
                0.5 * static_cast<double>(i), 1e-6);
    EXPECT_GT(std::count_if(a.scans[i].labels.begin(), a.scans[i].labels.end(),
                            [](int l) { return l >= 0; }),
              1000);
  }
}

TEST(Simulation, every_room_can_be_walked_through) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const simulation::Scene room = simulation::make_room(seed);
    const simulation::SceneCaster caster(room);
    LidarConfig config = indoor_simulation().lidar;
    config.beams = 4;
    config.columns = 32;
    for (double metres = 0.0; metres < 4.0; metres += 0.5) {
      const Scan scan = scan_scene(room, caster, config, pose_on_way(room, metres), 1);
      float farthest = 0.0F;
      for (Eigen::Index i = 0; i < scan.points.rows(); ++i) {
        if (scan.points.row(i).allFinite())
          farthest = std::max(farthest, scan.points.row(i).norm());
      }
      EXPECT_GT(farthest, 1.2F) << "the sensor is inside of something";
    }
  }
}

}  // namespace
}  // namespace pointtree::simulation

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perception/cloud_bytes.hpp"
#include "perception/fake_recogniser.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::perception {
namespace {

/// How well points told to be ground are ground, over several scans.
struct GroundScore {
  double hits = 0.0;
  double false_alarms = 0.0;
  double misses = 0.0;

  double precision() const { return hits / (hits + false_alarms); }
  double recall() const { return hits / (hits + misses); }
};

bool is_ground_class(const std::string& name) {
  return name == "road" || name == "sidewalk" || name == "floor";
}

void judge_ground(const simulation::Simulation& simulation, Pipeline& pipeline,
                  GroundScore& score) {
  for (const simulation::Scan& scan : simulation.scans) {
    PointBuffer points;
    for (Eigen::Index i = 0; i < scan.points.rows(); ++i)
      points.emplace_back(scan.points.row(i).transpose());
    CloudBytes cloud = to_cloud(points);
    const auto result = pipeline.process(cloud.raw(), 0);
    ASSERT_TRUE(result) << result.error().message;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (scan.labels[i] < 0 || result->labels[i].role == PointRole::dropped) continue;
      const auto& name = simulation.scene.classes[static_cast<std::size_t>(scan.labels[i])];
      const bool truth = is_ground_class(name);
      const bool told = result->labels[i].role == PointRole::ground;
      score.hits += static_cast<double>(truth && told);
      score.false_alarms += static_cast<double>(!truth && told);
      score.misses += static_cast<double>(truth && !told);
    }
  }
}

TEST(SimulatedScenes, ground_is_told_from_what_stands_on_it_in_streets) {
  Pipeline pipeline(PipelineConfig{}, std::make_shared<FakeRecogniser>());
  GroundScore score;
  for (const std::uint64_t seed : {901U, 902U, 903U, 904U}) {
    simulation::SimulationConfig config;
    config.frames = 2;
    config.street.slope = 0.1;
    judge_ground(simulation::simulate_street(seed, config), pipeline, score);
  }
  std::cout << "ground in streets: precision " << score.precision() << ", recall " << score.recall()
            << '\n';
  // What stands on the ground is ground up to the clearance: wheels, the feet of walls.
  EXPECT_GT(score.precision(), 0.9);
  EXPECT_GT(score.recall(), 0.99);
}

TEST(SimulatedScenes, ground_is_told_from_what_stands_on_it_in_rooms) {
  PipelineConfig config;
  config.up = UpDirection::z;
  Pipeline pipeline(config, std::make_shared<FakeRecogniser>());
  GroundScore score;
  for (const std::uint64_t seed : {901U, 902U, 903U, 904U}) {
    simulation::SimulationConfig walk = simulation::indoor_simulation();
    walk.frames = 2;
    judge_ground(simulation::simulate_room(seed, walk), pipeline, score);
  }
  std::cout << "ground in rooms: precision " << score.precision() << ", recall " << score.recall()
            << '\n';
  EXPECT_GT(score.precision(), 0.75);
  EXPECT_GT(score.recall(), 0.95);
}

}  // namespace
}  // namespace pointtree::perception

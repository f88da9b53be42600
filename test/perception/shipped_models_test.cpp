// SPDX-License-Identifier: Apache-2.0

// The shipped models in the pipeline, on simulated scenes of seeds that no training used.
#include <gtest/gtest.h>

#include <map>

#include "perception/shipped_pipeline.hpp"

namespace pointtree::perception {
namespace {

constexpr int kLeastPoints = 100;  // names of objects seen by fewer hang on single points

struct Called {
  int name = kUnknownClass;  ///< what most of its points were called
  int points = 0;            ///< in clusters
};

/// What each true object was called.
std::map<std::int32_t, Called> called(const simulation::Scan& scan, const FrameResult& result) {
  std::map<std::int32_t, std::map<int, int>> votes;
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (scan.instances[i] == 0 || result.labels[i].role != PointRole::object) continue;
    ++votes[scan.instances[i]][result.labels[i].class_id];
  }
  std::map<std::int32_t, Called> names;
  for (const auto& [instance, counts] : votes) {
    auto most = counts.begin();
    for (auto count = counts.begin(); count != counts.end(); ++count) {
      names[instance].points += count->second;
      if (count->second > most->second) most = count;
    }
    names[instance].name = most->first;
  }
  return names;
}

TEST(ShippedModels, names_outlive_a_wrong_mounting_and_a_wrong_calibration) {
  std::map<std::string, Eigen::Matrix3f> maps = mountings();
  maps["sheared"] = (Eigen::Matrix3f() << 1, 0.02F, 0.02F, 0, 1, 0.02F, 0, 0, 1).finished();
  maps["stretched"] = Eigen::Vector3f(1.03F, 0.98F, 1.01F).asDiagonal().toDenseMatrix();
  PipelineConfig config;
  config.sensor_height = kSensorHeight;
  config.track.class_memory = 0.0;  // the same scene comes again and again, each time otherwise
  Pipeline pipeline(config, shipped("objects"));
  simulation::SimulationConfig drive;
  drive.frames = 2;
  drive.speed = 50.0;
  std::map<std::string, int> changed;
  int evaluated = 0;
  int renamed = 0;  // from one class to another, over all maps
  for (const std::uint64_t seed : {2026U, 2027U, 2028U, 2029U}) {
    for (const simulation::Scan& scan : simulation::simulate_street(seed, drive).scans) {
      auto before = called(scan, process(pipeline, scan, Eigen::Matrix3f::Identity()));
      std::map<std::string, std::map<std::int32_t, Called>> after;
      for (const auto& [name, map] : maps) after[name] = called(scan, process(pipeline, scan, map));
      for (const auto& [instance, object] : before) {
        if (object.points < kLeastPoints) continue;
        ++evaluated;
        for (auto& [name, objects] : after) {
          const int now = objects[instance].name;
          changed[name] += static_cast<int>(now != object.name);
          renamed += static_cast<int>(now != object.name && now != kUnknownClass &&
                                      object.name != kUnknownClass);
        }
      }
    }
  }
  ASSERT_GT(evaluated, 80);
  for (const auto& [name, count] : changed) {
    std::cout << name << ": " << count << " of " << evaluated << " objects called otherwise\n";
    EXPECT_LT(count, 0.05 * evaluated) << name;
  }
  std::cout << renamed << " times in all from one class to another\n";
  EXPECT_LT(renamed, 0.025 * static_cast<double>(evaluated * maps.size()));
}

}  // namespace
}  // namespace pointtree::perception

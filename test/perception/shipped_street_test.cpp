// SPDX-License-Identifier: Apache-2.0

// models/street in the pipeline, on simulated scans: no training used any.
#include <gtest/gtest.h>

#include <map>

#include "perception/scan_blocks.hpp"
#include "perception/shipped_pipeline.hpp"

namespace pointtree::perception {
namespace {

TEST(ShippedStreet, labels_outlive_a_wrong_mounting_and_a_wrong_calibration) {
  const auto maps = mountings();
  const auto model = shipped("street");
  ASSERT_TRUE(takes_scan_channels(model->info()));
  PipelineConfig config = default_config(Mode::scene);
  config.sensor_height = kSensorHeight;
  Pipeline pipeline(config, model);
  simulation::SimulationConfig drive;
  drive.frames = 1;
  std::map<std::string, std::size_t> changed;
  std::size_t labelled = 0;
  for (const std::uint64_t seed : {2026U, 2027U}) {
    for (const simulation::Scan& scan : simulation::simulate_street(seed, drive).scans) {
      const FrameResult before = process(pipeline, scan, Eigen::Matrix3f::Identity());
      for (const PointLabel& label : before.labels) {
        if (label.role == PointRole::dropped) continue;
        EXPECT_NE(label.class_id, kUnknownClass);
        ++labelled;
      }
      for (const auto& [name, map] : maps) {
        const FrameResult after = process(pipeline, scan, map);
        for (std::size_t i = 0; i < before.labels.size(); ++i)
          changed[name] += before.labels[i].class_id != after.labels[i].class_id ? 1U : 0U;
      }
    }
  }
  ASSERT_GT(labelled, 20'000U);
  for (const auto& [name, count] : changed) {
    std::cout << name << ": " << count << " of " << labelled << " labels changed\n";
    EXPECT_LT(static_cast<double>(count), 0.05 * static_cast<double>(labelled)) << name;
  }
}

}  // namespace
}  // namespace pointtree::perception

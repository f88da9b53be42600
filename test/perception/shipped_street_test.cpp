// SPDX-License-Identifier: Apache-2.0

// models/street in the pipeline, on simulated scans: no training used any.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "perception/cloud_bytes.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/perception/engine_recogniser.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::perception {
namespace {

constexpr double kSensorHeight = 1.8;  // of the simulated street's sensor

FrameResult process(Pipeline& pipeline, const simulation::Scan& scan, const Eigen::Matrix3f& map) {
  PointBuffer points;
  for (Eigen::Index i = 0; i < scan.points.rows(); ++i)
    points.emplace_back(map * scan.points.row(i).transpose());
  CloudBytes cloud = to_cloud(points);
  auto result = pipeline.process(cloud.raw(), 0);
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

TEST(ShippedStreet, labels_outlive_a_wrong_mounting_and_a_wrong_calibration) {
  const auto turn = [](float angle, const Eigen::Vector3f& axis) {
    return Eigen::AngleAxisf(angle, axis.normalized()).toRotationMatrix();
  };
  const std::map<std::string, Eigen::Matrix3f> maps{
      {"tilted", turn(0.35F, {0.6F, -0.8F, 0.0F})},
      {"upside down", turn(3.14159265F, Eigen::Vector3f::UnitX())},
      {"mirrored", Eigen::Vector3f(1, -1, 1).asDiagonal().toDenseMatrix()},
      {"scaled down", 0.7F * Eigen::Matrix3f::Identity()},
      {"scaled up", 1.5F * Eigen::Matrix3f::Identity()}};
  inference::EngineOptions options;
  options.threads = 1;
  const auto model = std::make_shared<EngineRecogniser>(std::make_shared<const inference::Engine>(
      std::string(POINTTREE_SOURCE) + "/models/street", options));
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

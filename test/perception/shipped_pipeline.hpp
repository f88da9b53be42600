// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "perception/cloud_bytes.hpp"
#include "pointtree/perception/engine_recogniser.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::perception {

constexpr double kSensorHeight = 1.8;  // of the simulated street's sensor

/// A shipped model on one thread.
inline std::shared_ptr<const Recogniser> shipped(const std::string& name) {
  inference::EngineOptions options;
  options.threads = 1;
  return std::make_shared<EngineRecogniser>(std::make_shared<const inference::Engine>(
      std::string(POINTTREE_SOURCE) + "/models/" + name, options));
}

/// A scan whose world was mapped, through the pipeline.
inline FrameResult process(Pipeline& pipeline, const simulation::Scan& scan,
                           const Eigen::Matrix3f& map) {
  PointBuffer points;
  for (Eigen::Index i = 0; i < scan.points.rows(); ++i)
    points.emplace_back(map * scan.points.row(i).transpose());
  CloudBytes cloud = to_cloud(points);
  auto result = pipeline.process(cloud.raw(), 0);
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

/// Maps of the world that a wrong mounting and a wrong unit make.
inline std::map<std::string, Eigen::Matrix3f> mountings() {
  const auto turn = [](float angle, const Eigen::Vector3f& axis) {
    return Eigen::AngleAxisf(angle, axis.normalized()).toRotationMatrix();
  };
  return {{"tilted", turn(0.35F, {0.6F, -0.8F, 0.0F})},
          {"upside down", turn(3.14159265F, Eigen::Vector3f::UnitX())},
          {"mirrored", Eigen::Vector3f(1, -1, 1).asDiagonal().toDenseMatrix()},
          {"scaled down", 0.7F * Eigen::Matrix3f::Identity()},
          {"scaled up", 1.5F * Eigen::Matrix3f::Identity()}};
}

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "perception/ingest.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/ground_plane.hpp"
#include "pointtree/perception/oriented_box.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// The points of a cloud that the pipeline looks at: in range, with z up, in metres.
class LevelFrame {
 public:
  /// Reads the cloud, finds the ground and turns the points so that up is z; where the sensor's
  /// height is given, the ground gives the cloud's unit.
  void assign(const CloudView& cloud, const PipelineConfig& config);

  const PointBuffer& points() const { return points_; }

  /// source()[i]: which point of the cloud point i is.
  const std::vector<std::uint32_t>& source() const { return source_; }

  /// In the cloud's frame and unit; without support where none was found.
  const GroundPlane& ground() const { return ground_; }

  /// Whether the ground was seen.
  bool sees_ground() const { return ground_.support > 0.0F; }

  /// Height of the ground that was seen.
  float ground_height() const { return -unit_ * ground_.sensor_height; }

  /// The height that this share of the points lies below; there must be points.
  float height_above(double share) const;

  /// The cloud's intensities of these points, 0 for those that are not finite; empty without any.
  std::vector<float> intensity(const CloudView& cloud) const;

  /// The cloud's colours of these points, 0xRRGGBB; empty without any.
  std::vector<std::uint32_t> colours(const CloudView& cloud) const;

  /// A box and a place in the cloud's own frame and unit.
  OrientedBox to_cloud(const OrientedBox& box) const;
  Eigen::Vector3f to_cloud(const Eigen::Vector3f& point) const;  ///< likewise

 private:
  void read(const CloudView& cloud, const PipelineConfig& config);

  FramePoints frame_;
  GroundPlane ground_;
  Eigen::Matrix3f to_level_ = Eigen::Matrix3f::Identity();  ///< orthogonal; may mirror
  float unit_ = 1.0F;                                       ///< metres per unit of the cloud
  PointBuffer points_;
  std::vector<std::uint32_t> source_;
};

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>

#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// The plane that fits the ground around the sensor best.
struct GroundPlane {
  Eigen::Vector3f up = Eigen::Vector3f::UnitZ();  ///< unit normal, towards the sensor
  float sensor_height = 0.0F;  ///< distance from the plane to the sensor along `up`
  float support = 0.0F;        ///< share of the scene's area that lies in the plane
};

/// Finds the ground plane by a seeded random search over an evenly thinned cloud (about 4,000
/// points, whatever the cloud's size), then fits it to the points themselves with weights that
/// don't depend on the frame. With UpDirection::z only planes within 25° of level are considered.
/// Thresholds follow the cloud's own median range, so that its unit doesn't matter. Empty where no
/// plane holds a tenth of the scene (3 % with UpDirection::z).
std::optional<GroundPlane> find_ground_plane(const PointBuffer& points, UpDirection up,
                                             std::uint32_t seed);

/// The rotation that turns `up` to z and moves nothing else more than it must.
Eigen::Quaternionf level_rotation(const Eigen::Vector3f& up);

/// The orthogonal map to a level frame whose axes are the scene's own: z along `up`, x along the
/// direction in which the points spread most, both horizontal axes towards the longer tail of the
/// points. However the sensor is turned about the scene, and even where the scene is mirrored, the
/// scene lies in this frame in the same way, so that what is cut into cells is cut alike. The map
/// may mirror (determinant −1).
Eigen::Matrix3f scene_axes(const PointBuffer& points, const Eigen::Vector3f& up);

}  // namespace pointtree::perception

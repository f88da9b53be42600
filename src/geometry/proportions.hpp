// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "geometry/detail/pose_axes.hpp"

namespace pointtree::geometry {

/// How many numbers write_proportions() gives.
inline constexpr int kProportionChannels = detail::kProportionChannels;

/// What a pose took away from a cloud beside its heading and size: how long the pose's axes are in
/// the cloud as it came, as logarithms of which the mean is subtracted, then the cosines between
/// the first and second of them there, the second and third, the third and first.
///
/// `linear` is that of a PreAlignment. Rotating, mirroring or scaling the cloud changes nothing. A
/// cloud that does not span three dimensions has six zeros.
void write_proportions(const Eigen::Matrix3d& linear, float* values);

}  // namespace pointtree::geometry

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pointtree::geometry::align {

/// The covariance squares the points, so even in double an axis below this part of the longest is
/// rounding error.
constexpr double kRankTolerance = 3e-8;

/// Skewness, in deviations cubed, below which an axis has no direction of its own.
constexpr double kSkewTolerance = 1e-6;

/// Points whose mean is near enough to the middle of the cloud that moments about it lose nothing
/// when they are shifted to the true centroid.
constexpr int kCentreSamples = 16;

}  // namespace pointtree::geometry::align

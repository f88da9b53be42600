// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::datasets {

/// How a complete shape is made to look like something a robot's sensor saw. All off by default.
/// Lengths are in units of the cloud's mean distance to its centre; z is up.
struct ObservationConfig {
  double partial_probability = 0.0;  ///< seen from one side only
  double ring_probability = 0.0;     ///< of a partial view: cut into the rows of a spinning lidar
  double crop_share = 0.0;           ///< up to this share is hidden behind something else
  double drop_out = 0.0;             ///< up to this share of the points is lost
  double sparse_probability =
      0.0;                  ///< thinned to between minimum_points and all, evenly in the logarithm
  double jitter = 0.0;      ///< standard deviation of the noise of every coordinate, cut at 3
  double tilt = 0.0;        ///< degrees; turned by up to this about a level axis
  bool turn = false;        ///< turned by any angle about z
  int minimum_points = 64;  ///< steps that would leave fewer points are left out
};

/// Throws std::invalid_argument naming the first value that makes no sense.
void validate(const ObservationConfig& config);

/// What a spinning lidar on a robot makes of a shape: one side of it, mostly in rows, thinned by
/// distance, noisy, at any heading and tilted by up to 5 degrees.
ObservationConfig lidar_observation();

/// What is left of a cloud, and which points of it these are.
struct Observation {
  geometry::Points points;
  std::vector<std::int32_t> source;
};

/// Looks at a cloud as the configuration says.
Observation observe(const geometry::PointsView& points, const ObservationConfig& config,
                    geometry::Random& random);

}  // namespace pointtree::datasets

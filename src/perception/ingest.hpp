// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// The usable points of a frame, in the sensor's frame and in the message's order.
struct FramePoints {
  PointBuffer points;
  std::vector<std::uint32_t> source;  ///< source[i]: index in the cloud of points[i]
};

/// Fills `frame` with the finite points within the range limits; O(points).
void ingest(const CloudView& cloud, double min_range, double max_range, FramePoints& frame);

}  // namespace pointtree::perception

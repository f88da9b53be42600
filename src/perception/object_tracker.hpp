// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Gives the objects of successive frames lasting numbers: the nearest one to where a known object
/// is expected, within a gate, is that object. Expectation is constant velocity.
class ObjectTracker {
 public:
  explicit ObjectTracker(const TrackConfig& config) : config_(config) {}

  /// The identity of every centroid of a frame, in order. A stamp (nanoseconds) before the last one
  /// starts anew, as when a recording loops; numbers are never used twice.
  std::vector<std::uint32_t> update(const PointBuffer& centroids, std::int64_t stamp);

 private:
  struct Track {
    std::uint32_t id;
    Eigen::Vector3f position;
    Eigen::Vector3f velocity;  ///< metres per second
    std::int64_t stamp;        ///< when it was last seen
    int missed;                ///< frames since
  };

  TrackConfig config_;
  std::vector<Track> tracks_;
  std::uint32_t next_id_ = 1;
  std::int64_t last_stamp_ = 0;
};

}  // namespace pointtree::perception

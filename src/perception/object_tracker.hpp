// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/perception/frame_result.hpp"
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

/// Gives the objects of successive frames lasting numbers: the nearest one of like size to where a
/// known object is expected, within a gate, is that object. Expectation is constant velocity.
class ObjectTracker {
 public:
  explicit ObjectTracker(const TrackConfig& config) : config_(config) {}

  /// Sets the id of every object of a frame, and makes its scores those of the object over time. A
  /// stamp (nanoseconds) before the last one starts anew, as when a recording loops; ids are never
  /// used twice.
  void update(std::vector<LabeledObject>& objects, std::int64_t stamp);

 private:
  struct Track {
    std::uint32_t id;
    Eigen::Vector3f position;
    Eigen::Vector3f velocity;  ///< metres per second
    std::int64_t stamp;        ///< when it was last seen
    int missed;                ///< frames since
    std::uint32_t points;      ///< then
    std::vector<float> scores;
    int classified;  ///< frames that went into the scores
  };

  void follow(Track& track, LabeledObject& object, std::int64_t stamp) const;

  TrackConfig config_;
  std::vector<Track> tracks_;
  std::uint32_t next_id_ = 1;
  std::int64_t last_stamp_ = 0;
};

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#include "perception/object_tracker.hpp"

#include <algorithm>
#include <tuple>

namespace pointtree::perception {
namespace {

/// Weight of the newest observation in the velocity.
constexpr float kVelocityGain = 0.5F;

struct Pairing {
  float distance;
  std::size_t track;
  std::size_t detection;
  bool operator<(const Pairing& other) const {
    return std::tie(distance, track, detection) <
           std::tie(other.distance, other.track, other.detection);
  }
};

float seconds_between(std::int64_t earlier, std::int64_t later) {
  // Unsigned, since clocks may lie farther apart than a signed number reaches.
  const auto elapsed = static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
  return static_cast<float>(static_cast<double>(elapsed) * 1e-9);
}

/// Whether clusters of so many points can be one object; the smallest are rings more or less.
bool alike(std::uint32_t before, std::uint32_t now, double max_growth) {
  constexpr double kSlack = 20.0;
  const auto [small, large] = std::minmax(before, now);
  return large <= max_growth * small + kSlack;
}

}  // namespace

void ObjectTracker::update(std::vector<LabeledObject>& objects, std::int64_t stamp) {
  if (stamp < last_stamp_) tracks_.clear();
  last_stamp_ = stamp;

  std::vector<Pairing> pairings;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const float elapsed = seconds_between(tracks_[t].stamp, stamp);
    const Eigen::Vector3f expected = tracks_[t].position + elapsed * tracks_[t].velocity;
    for (std::size_t d = 0; d < objects.size(); ++d) {
      const float distance = (objects[d].centroid - expected).norm();
      if (distance <= static_cast<float>(config_.gate) &&
          alike(tracks_[t].points, objects[d].point_count, config_.max_growth)) {
        pairings.push_back({distance, t, d});
      }
    }
  }
  std::sort(pairings.begin(), pairings.end());

  for (LabeledObject& object : objects) object.id = 0;
  for (Track& track : tracks_) ++track.missed;
  for (const Pairing& pairing : pairings) {
    Track& track = tracks_[pairing.track];
    LabeledObject& object = objects[pairing.detection];
    if (track.missed > 0 && object.id == 0) follow(track, object, stamp);
  }
  tracks_.erase(
      std::remove_if(tracks_.begin(), tracks_.end(),
                     [&](const Track& track) { return track.missed > config_.max_missed; }),
      tracks_.end());
  for (LabeledObject& object : objects) {
    if (object.id != 0) continue;
    object.id = next_id_++;
    tracks_.push_back({object.id, object.centroid, Eigen::Vector3f::Zero(), stamp, 0,
                       object.point_count, object.scores, object.scores.empty() ? 0 : 1});
  }
}

void ObjectTracker::follow(Track& track, LabeledObject& object, std::int64_t stamp) const {
  if (const float elapsed = seconds_between(track.stamp, stamp); elapsed > 0.0F) {
    const Eigen::Vector3f observed = (object.centroid - track.position) / elapsed;
    track.velocity += kVelocityGain * (observed - track.velocity);
  }
  track.position = object.centroid;
  track.stamp = stamp;
  track.missed = 0;
  track.points = object.point_count;
  object.id = track.id;
  if (object.scores.empty()) return;
  // The mean over the frames while they are few, then a forgetful one.
  track.scores.resize(object.scores.size(), 0.0F);
  const float newest = std::max(1.0F - static_cast<float>(config_.class_memory),
                                1.0F / static_cast<float>(++track.classified));
  for (std::size_t k = 0; k < object.scores.size(); ++k)
    track.scores[k] += newest * (object.scores[k] - track.scores[k]);
  if (config_.class_memory > 0.0) object.scores = track.scores;
}

}  // namespace pointtree::perception

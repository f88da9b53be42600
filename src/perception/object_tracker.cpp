// SPDX-License-Identifier: Apache-2.0
#include "perception/object_tracker.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

std::vector<std::uint32_t> ObjectTracker::update(const PointBuffer& centroids, std::int64_t stamp) {
  if (stamp < last_stamp_) tracks_.clear();
  last_stamp_ = stamp;

  std::vector<Pairing> pairings;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const float elapsed = seconds_between(tracks_[t].stamp, stamp);
    const Eigen::Vector3f expected = tracks_[t].position + elapsed * tracks_[t].velocity;
    for (std::size_t d = 0; d < centroids.size(); ++d) {
      const float distance = (centroids[d] - expected).norm();
      if (distance <= static_cast<float>(config_.gate)) pairings.push_back({distance, t, d});
    }
  }
  std::sort(pairings.begin(), pairings.end());

  std::vector<std::uint32_t> ids(centroids.size(), 0);
  for (Track& track : tracks_) ++track.missed;
  for (const Pairing& pairing : pairings) {
    Track& track = tracks_[pairing.track];
    if (track.missed == 0 || ids[pairing.detection] != 0) continue;
    const Eigen::Vector3f& centroid = centroids[pairing.detection];
    if (const float elapsed = seconds_between(track.stamp, stamp); elapsed > 0.0F) {
      const Eigen::Vector3f observed = (centroid - track.position) / elapsed;
      track.velocity += kVelocityGain * (observed - track.velocity);
    }
    track.position = centroid;
    track.stamp = stamp;
    track.missed = 0;
    ids[pairing.detection] = track.id;
  }
  tracks_.erase(
      std::remove_if(tracks_.begin(), tracks_.end(),
                     [&](const Track& track) { return track.missed > config_.max_missed; }),
      tracks_.end());
  for (std::size_t d = 0; d < centroids.size(); ++d) {
    if (ids[d] != 0) continue;
    ids[d] = next_id_++;
    tracks_.push_back({ids[d], centroids[d], Eigen::Vector3f::Zero(), stamp, 0});
  }
  return ids;
}

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#include "perception/object_finder.hpp"

#include <algorithm>
#include <utility>

namespace pointtree::perception {

void ObjectFinder::assign(const PointBuffer& points, std::optional<float> ground_height) {
  standing_.clear();
  standing_from_.clear();
  has_ground_ = config_.ground.remove && ground_height.has_value();
  if (has_ground_) ground_.assign(points, *ground_height);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_ground(i)) continue;
    standing_.push_back(points[i]);
    standing_from_.push_back(static_cast<std::uint32_t>(i));
  }
  objects_.clear();
  cluster_standing(points);
  sort_objects();
}

void ObjectFinder::assign_things(const PointBuffer& points,
                                 const std::vector<std::int32_t>& kinds) {
  has_ground_ = false;
  objects_.clear();
  const auto last = std::max_element(kinds.begin(), kinds.end());
  for (std::int32_t kind = 0; last != kinds.end() && kind <= *last; ++kind) {
    standing_.clear();
    standing_from_.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (kinds[i] != kind) continue;
      standing_.push_back(points[i]);
      standing_from_.push_back(static_cast<std::uint32_t>(i));
    }
    cluster_standing(points);
  }
  sort_objects();
}

void ObjectFinder::cluster_standing(const PointBuffer& points) {
  voxels_.assign(standing_, static_cast<float>(config_.voxel_size));
  clusterer_.assign(voxels_.centroids(), static_cast<float>(config_.cluster.tolerance));
  gather_clusters();
  keep_objects(points);
}

void ObjectFinder::gather_clusters() {
  const auto count = static_cast<std::size_t>(clusterer_.count());
  if (clusters_.size() < count) clusters_.resize(count);
  for (auto& cluster : clusters_) cluster.clear();
  for (std::size_t k = 0; k < standing_.size(); ++k) {
    const std::int32_t label = clusterer_.labels()[voxels_.voxel_of()[k]];
    clusters_[static_cast<std::size_t>(label)].push_back(standing_from_[k]);
  }
}

void ObjectFinder::keep_objects(const PointBuffer& points) {
  const ClusterConfig& limits = config_.cluster;
  for (const auto& cluster : clusters_) {
    const auto count = static_cast<std::int64_t>(cluster.size());
    if (count < limits.min_points || count > limits.max_points) continue;
    cluster_points_.clear();
    for (const std::uint32_t index : cluster) cluster_points_.push_back(points[index]);
    FoundObject object{cluster, bounding_box(cluster_points_)};
    if (object.box.size.z() < static_cast<float>(limits.min_height)) continue;
    if (object.box.size.x() > static_cast<float>(limits.max_length)) continue;
    objects_.push_back(std::move(object));
  }
}

void ObjectFinder::sort_objects() {
  // Stable and with the first point as the last word, so that equal distances have one order.
  std::stable_sort(objects_.begin(), objects_.end(), [](const auto& a, const auto& b) {
    const float near = a.box.center.squaredNorm();
    const float far = b.box.center.squaredNorm();
    return near != far ? near < far : a.points.front() < b.points.front();
  });
}

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perception/euclidean_clusterer.hpp"
#include "perception/ground_segmenter.hpp"
#include "perception/voxel_grid.hpp"
#include "pointtree/perception/oriented_box.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// A cluster that may be an object, in the levelled frame.
struct FoundObject {
  std::vector<std::uint32_t> points;  ///< indices of its points, ascending
  OrientedBox box;
};

/// Cuts a levelled cloud into ground and objects.
class ObjectFinder {
 public:
  explicit ObjectFinder(const PipelineConfig& config) : config_(config), ground_(config.ground) {}

  /// Takes points with z up, the sensor at the origin, and the height of the ground below it;
  /// without one nothing is ground.
  void assign(const PointBuffer& points, std::optional<float> ground_height);

  /// Takes such points of which some are parts of things: objects are clusters of one kind.
  /// kinds[i] is the kind of point i, −1 for none.
  void assign_things(const PointBuffer& points, const std::vector<std::int32_t>& kinds);

  /// Objects within the size limits, nearest first.
  const std::vector<FoundObject>& objects() const { return objects_; }

  /// Copies every point's height above the ground below it; false where no ground is known.
  bool measure_heights(std::vector<float>& heights) const {
    if (has_ground_) heights = ground_.heights();
    return has_ground_;
  }

  /// Whether point i belongs to the ground.
  bool is_ground(std::size_t i) const {
    return has_ground_ && ground_.is_ground(ground_.heights()[i]);
  }

 private:
  void cluster_standing(const PointBuffer& points);
  void gather_clusters();
  void keep_objects(const PointBuffer& points);
  void sort_objects();

  PipelineConfig config_;
  GroundSegmenter ground_;
  bool has_ground_ = false;
  VoxelGrid voxels_;
  EuclideanClusterer clusterer_;
  PointBuffer standing_;                      ///< points above the ground
  std::vector<std::uint32_t> standing_from_;  ///< their indices in the cloud
  std::vector<std::vector<std::uint32_t>> clusters_;
  PointBuffer cluster_points_;
  std::vector<FoundObject> objects_;
};

}  // namespace pointtree::perception

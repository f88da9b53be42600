// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// The input channels that ScanFeatures knows, in the order in which it writes them. Lengths are in
/// fixed fractions of metres that keep the numbers near 1.
///
/// `height` above the ground below, `plane_height` above the ground plane, `range`, `intensity`
/// (over itself plus the scan's median, so that its unit does not matter; 0: the lidar has none),
/// `above` and `below`: from the point to the top and the bottom of what is within 0.75 m,
/// `column_height` of the 0.5 m cell, `relief` of the cell's lowest point over the lowest within
/// 2.75 m (kerbs), `roughness` of the cell's lowest layer, mean and deviation of that layer's
/// intensity, and the share of cells around that are tall (1.25 m and 3.25 m) or as high as a car
/// (1.75 m).
const std::vector<std::string>& scan_channels();

/// Features of a point's surroundings in the whole scan, in metres on a grid seen from above, so
/// that they hold at a block's border too and do not depend on how a scan is cut.
///
/// Training and robot call this one class. O(points + cells); memory is reused.
class ScanFeatures {
 public:
  /// Takes a levelled scan in metres, z up, the sensor at the origin. `intensity` has one value per
  /// point or none; `ground_height` is the ground plane's z at the sensor.
  void assign(const PointBuffer& points, const std::vector<float>& intensity, float ground_height);

  /// Writes the scan_channels() of a point.
  void write(std::size_t point, float* row) const;

 private:
  using Map = std::vector<float>;

  void bound(const PointBuffer& points);
  void find_layers();
  void measure_lowest_layer();
  void share_of_cells(float least, float most, int radius, Map& share);

  const PointBuffer* points_ = nullptr;
  float ground_height_ = 0.0F;
  int columns_ = 0;
  int rows_ = 0;
  Eigen::Vector2f corner_ = Eigen::Vector2f::Zero();
  std::vector<float> intensity_;      ///< in the channel's scale; empty: none
  std::vector<std::uint32_t> cell_;   ///< of each point
  Map low_, high_, ground_, lowest_;  ///< per cell; low_ is the second lowest point of three
  Map near_low_, near_high_;
  Map roughness_, mean_, deviation_;
  Map tall_near_, tall_far_, middle_;
  Map scratch_, sums_[5];
};

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/perception/ground_plane.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Tells ground from what stands on it where the ground slopes, steps and is hidden.
///
/// Seen from above, the lowest surface of each cell either continues its neighbours' ground or does
/// not. A wave starts at the cells around the sensor that lie in the ground plane and carries the
/// height outwards, across gaps and under objects; a cell joins the ground if it is reached within
/// the allowed slope and step. Large level surfaces that the wave couldn't climb (terraces,
/// platforms) are added afterwards. O(points + cells).
class GroundSegmenter {
 public:
  explicit GroundSegmenter(const GroundConfig& config) : config_(config) {}

  /// Takes points with z up, the sensor at the origin, and the height of the ground below it.
  void assign(const PointBuffer& points, float ground_height);

  /// heights()[i]: height of point i above the ground below it, in metres.
  const std::vector<float>& heights() const { return heights_; }

  /// Whether a point at this height above the ground belongs to it.
  bool is_ground(float height) const { return height < static_cast<float>(config_.clearance); }

 private:
  /// What is known of a cell; sums are over the lowest sheet of points in it.
  struct Cell {
    float low = 0.0F;
    float high = 0.0F;
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    std::int32_t count = 0;                           ///< points in the cell
    std::int32_t sheet_count = 0;                     ///< points in its lowest sheet
    float ground = 0.0F;                              ///< height of the ground, once reached
    Eigen::Vector2f slope = Eigen::Vector2f::Zero();  ///< of the ground on the way here
    std::int32_t wave = -1;                           ///< when the wave reached it; −1: not yet
    std::int32_t gap = 0;  ///< cells since the last that showed ground; 0: shows ground itself
  };

  void lay_grid(const PointBuffer& points);
  void find_sheets(const PointBuffer& points);
  void seed_wave(float ground_height);
  void collect_seeds(float ground_height, float radius);
  void spread_wave();
  void settle(std::int32_t index, std::int32_t wave);
  void learn_slope(std::int32_t index, std::int32_t wave);
  void add_terraces();
  Eigen::Vector2f slope_at(std::int32_t index) const;
  void measure_heights(const PointBuffer& points);

  std::int32_t index_of(const Eigen::Vector3f& point) const;
  bool is_flat(const Cell& cell) const;
  float sheet_height(const Cell& cell) const;

  GroundConfig config_;
  float cell_size_ = 0.0F;
  Eigen::Array2f origin_ = Eigen::Array2f::Zero();  ///< corner of the first cell with points
  std::int32_t columns_ = 0;                        ///< with the border
  std::int32_t rows_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::int32_t> front_;
  std::vector<std::int32_t> next_front_;
  std::vector<float> heights_;
};

}  // namespace pointtree::perception

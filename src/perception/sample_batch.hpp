// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Clouds of equal size drawn from parts of a frame, ready for the network.
///
/// Every point of the frame has its lot, and a part's points with the least lots are taken: where a
/// cluster gains or loses a point from frame to frame, the others that were taken still are, and
/// the network sees almost the same cloud. A part with too few points gives each of them equally
/// often, up to one.
class SampleBatch {
 public:
  /// Starts a batch of clouds as the model takes them; memory of the last one is reused.
  void clear(const inference::EngineInfo& model, std::uint32_t seed);

  /// Adds a cloud sampled from the points with these indices; must not be empty. source[i] tells
  /// which point of the message point i is. O(indices).
  void add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
           const std::vector<std::uint32_t>& source);

  /// Views of all clouds; valid until the batch is changed.
  std::vector<inference::CloudInput> inputs() const;

  /// rows_of(k)[r]: place, in the indices given to add, of the point in row r of cloud k.
  const std::vector<std::int32_t>& rows_of(std::size_t cloud) const { return samples_[cloud].rows; }

 private:
  struct Sample {
    geometry::Points points;
    std::vector<std::int32_t> rows;
    std::vector<float> sizes;  ///< the channel geometry::kSizeChannel: the same for all rows
  };

  void draw_rows(const std::vector<std::uint32_t>& indices,
                 const std::vector<std::uint32_t>& source, std::vector<std::int32_t>& rows);

  std::int32_t rows_ = 0;
  bool sized_ = false;  ///< the model takes the clouds' sizes
  std::uint32_t seed_ = 0;
  std::size_t used_ = 0;
  std::vector<Sample> samples_;
  std::vector<std::pair<std::uint32_t, std::int32_t>> lots_;  ///< lot, place in the part
};

}  // namespace pointtree::perception

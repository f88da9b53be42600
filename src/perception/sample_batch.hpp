#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/model/engine.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Clouds of equal size drawn from parts of a frame, ready for the network.
class SampleBatch {
 public:
  /// Starts a batch of clouds of `rows` points; memory of the last one is reused.
  void clear(std::int32_t rows, std::uint64_t seed);

  /// Adds a cloud sampled from the points with these indices; must not be empty.
  void add(const PointBuffer& points, const std::vector<std::uint32_t>& indices);

  /// Views of all clouds; valid until the batch is changed.
  std::vector<model::CloudInput> inputs() const;

  /// rows_of(k)[r]: place, in the indices given to add, of the point in row r of cloud k.
  const std::vector<std::int32_t>& rows_of(std::size_t cloud) const { return samples_[cloud].rows; }

 private:
  struct Sample {
    geometry::Points points;
    std::vector<std::int32_t> rows;
  };

  std::int32_t rows_ = 0;
  std::uint64_t seed_ = 0;
  std::size_t used_ = 0;
  std::vector<Sample> samples_;
  PointBuffer part_;
};

}  // namespace pointtree::perception

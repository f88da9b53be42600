// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "perception/scan_features.hpp"
#include "pointtree/geometry/points.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::perception {

/// Whether SampleBatch can give a model these channels.
bool gives_channels(const std::vector<std::string>& channels);

/// Whether a model that takes these channels looks at colours.
bool takes_colours(const std::vector<std::string>& channels);

/// What is known of a frame's points beside their places.
struct PointChannels {
  std::vector<float> heights;          ///< m above the ground; needed where has_heights()
  std::vector<std::uint32_t> colours;  ///< 0xRRGGBB; empty where the cloud has none: all black
};

/// Clouds drawn from parts of a frame, ready for the network.
///
/// Every point of the frame has its hash, and a part's points with the least hashes are taken:
/// where a cluster gains or loses a point from frame to frame, the others that were taken still
/// are, and the network sees almost the same cloud. A part with too few points gives some of them
/// twice and then all as often as need be, as geometry::resample does; a model that takes clouds of
/// fewer points is spared that.
class SampleBatch {
 public:
  /// Starts a batch of clouds as the model takes them; memory of the last one is reused.
  void clear(const inference::EngineInfo& model, std::uint32_t seed);

  /// Adds a cloud sampled from the points with these indices; must not be empty. source[i] tells
  /// which point of the message point i is. O(indices).
  void add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
           const std::vector<std::uint32_t>& source, const PointChannels& known);

  /// Whether the model takes the points' heights.
  bool has_heights() const;

  /// The same with the channels of a scan's points, which the model takes.
  void add(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
           const std::vector<std::uint32_t>& source, const ScanFeatures& features);

  /// Views of all clouds; valid until the batch is changed.
  std::vector<inference::CloudInput> inputs() const;

  /// rows_of(k)[r]: place, in the indices given to add, of the point in row r of cloud k.
  const std::vector<std::int32_t>& rows_of(std::size_t cloud) const { return samples_[cloud].rows; }

 private:
  struct Sample {
    geometry::Points points;
    std::vector<std::int32_t> rows;
    std::vector<float> channels;  ///< [rows, channels]
  };

  Sample& draw(const PointBuffer& points, const std::vector<std::uint32_t>& indices,
               const std::vector<std::uint32_t>& source);
  void draw_rows(const std::vector<std::uint32_t>& indices,
                 const std::vector<std::uint32_t>& source, std::vector<std::int32_t>& rows);

  std::int32_t rows_ = 0;              ///< of a cloud
  std::int32_t least_rows_ = 0;        ///< of a cloud of few points
  std::vector<std::string> channels_;  ///< those that the model takes
  std::uint32_t seed_ = 0;
  std::size_t used_ = 0;
  std::vector<Sample> samples_;
  std::vector<std::pair<std::uint32_t, std::int32_t>> hashes_;  ///< hash, place in the part
};

}  // namespace pointtree::perception

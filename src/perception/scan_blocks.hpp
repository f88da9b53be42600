// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "perception/scan_features.hpp"
#include "perception/tree_cutter.hpp"
#include "perception/voxel_grid.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

/// Whether a model labels whole scans, as ScanBlocks prepares them: its channels are
/// scan_channels().
bool takes_scan_channels(const inference::EngineInfo& model);

/// The mode that a model was made for.
Mode mode_of(const inference::EngineInfo& model);

/// A whole lidar scan as a segmenting network takes it: one point per voxel with its channels, in
/// blocks. Training and robot call this one class, so that both see the same numbers.
class ScanBlocks {
 public:
  /// Takes a levelled scan as ScanFeatures does, which must stay as it is while this is used.
  /// Each voxel is represented by its first point (a size of 0: every point); these are cut into
  /// blocks of at most `most`, in one or two ways.
  void assign(const PointBuffer& points, const std::vector<float>& intensity, float ground_height,
              float voxel_size, int most, int cuts = 1);

  /// Indices of representing points, ascending in each block; every one is in a block of each cut.
  const std::vector<Block>& blocks() const { return blocks_; }

  /// representatives()[i]: the point that stands for point i.
  const std::vector<std::uint32_t>& representatives() const { return representatives_; }

  const ScanFeatures& features() const { return features_; }

 private:
  ScanFeatures features_;
  VoxelGrid voxels_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> representatives_;
};

}  // namespace pointtree::perception

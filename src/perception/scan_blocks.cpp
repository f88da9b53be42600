// SPDX-License-Identifier: Apache-2.0
#include "perception/scan_blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pointtree::perception {

bool takes_scan_channels(const inference::EngineInfo& model) {
  return model.segments && model.channels == scan_channels();
}

Mode mode_of(const inference::EngineInfo& model) {
  if (takes_scan_channels(model)) return Mode::scene;
  return model.segments ? Mode::blocks : Mode::objects;
}

void ScanBlocks::assign(const PointBuffer& points, const std::vector<float>& intensity,
                        float ground_height, float voxel_size, int most, int cuts) {
  features_.assign(points, intensity, ground_height);
  voxels_.assign(points, voxel_size);
  // The first of a voxel's points in the message's order: it stays the same where the pose of the
  // scan is found a millimetre otherwise and other points change their voxel.
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> chosen(voxels_.centroids().size(), kNone);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint32_t& first = chosen[voxels_.voxel_of()[i]];
    if (first == kNone) first = static_cast<std::uint32_t>(i);
  }
  representatives_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    representatives_[i] = chosen[voxels_.voxel_of()[i]];
  PointBuffer sampled;
  sampled.reserve(chosen.size());
  for (const std::uint32_t point : chosen) sampled.push_back(points[point]);
  blocks_ = cut_tree_blocks(sampled, most);
  if (cuts > 1) {
    for (Block& block : cut_tree_blocks(sampled, most, true)) blocks_.push_back(std::move(block));
  }
  for (Block& block : blocks_) {
    for (std::uint32_t& place : block) place = chosen[place];
    std::sort(block.begin(), block.end());
  }
}

}  // namespace pointtree::perception

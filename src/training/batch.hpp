// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "datasets/augmentation.hpp"

namespace pointtree::training {

/// Clouds for the network, in leaf order unless something is left to do.
struct Batch {
  at::Tensor points;  ///< [B, N, 3 + extra] float32
  at::Tensor owner;   ///< [B, N] int64: which point each leaf holds; undefined where none repeats
  at::Tensor labels;  ///< [B] int64: class of each cloud, −1 where unknown
  at::Tensor point_labels;  ///< [B, N] int64, −1 where unknown; undefined in classification
  std::vector<std::int64_t> indices;  ///< [B]: each cloud's index in the data set
  /// [B] where poses and trees are left to the device: clouds are then as they were sampled, and
  /// this is what is to be done to them after the tree.
  std::vector<datasets::AugmentationDraw> augmentations;

  std::int64_t size() const { return points.size(0); }
};

}  // namespace pointtree::training

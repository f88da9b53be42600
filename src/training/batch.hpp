// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <vector>

#include "datasets/augmentation.hpp"
#include "pointtree/geometry/random.hpp"

namespace pointtree::network {
class TensorPreprocessor;
}

namespace pointtree::training {

/// Clouds for the network, in leaf order unless something is left to do.
struct Batch {
  at::Tensor points;  ///< [B, N, 3 + extra] float32
  at::Tensor owner;   ///< [B, N] int64: which point each leaf holds; undefined where none repeats
  at::Tensor labels;  ///< [B] int64: class of each cloud, −1 where unknown
  at::Tensor point_labels;  ///< [B, N] int64, −1 where unknown; undefined in classification
  std::vector<std::int64_t> indices;      ///< [B]: each cloud's index in the data set
  std::vector<std::int32_t> leaf_points;  ///< [B, N]: which of its points each leaf holds
  /// [B] where poses and trees are left to the device: clouds are then as they were sampled, and
  /// this is what is to be done to them after the tree.
  std::vector<datasets::AugmentationDraw> augmentations;

  std::int64_t size() const { return points.size(0); }
};

/// What the loader has left to the device: takes a batch of clouds in any order to the device,
/// poses them, builds their trees, augments the coordinates as drawn and puts everything into leaf
/// order. A batch that is in leaf order already is handed back as it is.
Batch preprocessed(Batch batch, network::TensorPreprocessor& preprocessor, c10::Device device);

/// The rows of a batch, each in the place of the one after it; the last row comes first.
at::Tensor of_cloud_before(const at::Tensor& rows);

/// Gives every cloud of a batch [B, N, C] in leaf order one subtree of the cloud before it: a half,
/// a quarter or an eighth of its leaves, the same for all. Returns that share; what a cloud is
/// called should follow it.
double cut_mix(at::Tensor& clouds, geometry::Random& random);

}  // namespace pointtree::training

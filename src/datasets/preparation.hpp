// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/augmentation.hpp"
#include "inference/preprocessor.hpp"
#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// How an example becomes the network's input.
struct PreparationConfig {
  int depth = 10;  ///< 2^depth leaves
  inference::PreprocessorConfig preprocessor;
  bool use_extra = false;  ///< append Example::extra to the coordinates
  bool preprocess = true;  ///< otherwise pose, tree and augmentation after it are left to others
  AugmentationConfig augmentation;
};

/// Throws std::invalid_argument naming the first value that makes no sense.
void validate(const PreparationConfig& config);

/// One cloud in leaf order.
struct PreparedCloud {
  Channels features;  ///< [2^d, 3 + extra + features]
  std::vector<std::int32_t>
      leaf_points;  ///< row of Example::points in each leaf; a point may own several
  std::vector<std::int32_t> leaf_labels;  ///< its point label; empty where the example has none
  /// What is left to do to the coordinates after pose and tree, where the cloud is not
  /// preprocessed; its rows are then in the order in which they were sampled, not in that of
  /// leaves.
  std::optional<AugmentationDraw> augmentation;
};

/// Observes, samples to 2^d points, transforms, pre-aligns, builds the tree and augments the
/// coordinates. The result depends on nothing but the arguments.
PreparedCloud prepare(const Example& example, const PreparationConfig& config, std::uint64_t seed);

}  // namespace pointtree::datasets

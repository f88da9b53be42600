// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cloud_batch.hpp"
#include "pointtree/inference/engine.hpp"

namespace pointtree::inference::engine {

/// Turns one cloud's logits [classes] into likelihoods.
Classification classification_from(const float* logits, std::size_t classes);

/// Turns the logits [2^d, classes] of one cloud's leaves into labels in input order.
Segmentation segmentation_from(const float* logits, std::size_t classes, PosedCloud posed);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "linear_call.hpp"
#include "packed_network.hpp"

namespace pointtree::inference::engine {

/// A batch of clouds in leaf order.
struct LeafBatch {
  /// [clouds, leaves, channels], behind it as many rows for each of equal_scales().
  const float* points = nullptr;
  std::size_t clouds = 0;
  std::size_t leaves = 0;  ///< 2^d of them, or fewer that stand for equal points
  /// Optional [clouds, leaves]: which point of its cloud, in [0, 2^d), each leaf holds.
  const std::int32_t* owner = nullptr;
};

/// Runs a network: logits [clouds, classes], or [clouds, 2^d, classes] in leaf order. They live in
/// the context's arena until it is reset.
const float* run_network(const PackedNetwork& network, const LeafBatch& batch, Context& context);

}  // namespace pointtree::inference::engine

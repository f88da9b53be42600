// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "linear_call.hpp"
#include "packed_network.hpp"

namespace pointtree::inference::engine {

/// A batch of clouds in leaf order.
struct LeafBatch {
  const float* points = nullptr;  ///< [clouds, 2^d, channels]
  std::size_t clouds = 0;
  /// Optional [clouds, 2^d]: which point of its cloud, in [0, 2^d), each leaf holds.
  const std::int32_t* owner = nullptr;
};

/// Runs a network: logits [clouds, classes], or [clouds, 2^d, classes] in leaf order. They live in
/// the context's arena until it is reset.
const float* run_network(const PackedNetwork& network, const LeafBatch& batch, Context& context);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "linear_call.hpp"

namespace pointtree::inference::engine {

/// Applies layers one after the other to small tiles of rows, so that what lies between two layers
/// (1,024 values per point at the leaves and in the T-Net) never leaves the second-level cache.
void apply_fused(const std::vector<PackedLinear>& layers, const Rows& in,
                 const LinearTarget& target, Context& context);

/// The same followed by a maximum over the rows of each cloud: out is [clouds, out], densely
/// packed.
void apply_fused_max(const std::vector<PackedLinear>& layers, const Rows& in, std::size_t clouds,
                     float* out, Context& context);

}  // namespace pointtree::inference::engine

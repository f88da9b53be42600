#pragma once

#include <vector>

#include "linear_call.hpp"

namespace pointtree::model::engine {

/// Applies layers one after the other to small tiles of rows, so that what lies between two layers
/// (1,024 values per point at the leaves and in the T-Net) never leaves the second-level cache.
void apply_fused(const std::vector<PackedLinear>& layers, const Rows& in,
                 const LinearTarget& target, Context& context);

/// The same followed by a maximum over the rows of each cloud: out is [clouds, out], densely
/// packed. Where the last layer has rows, the maximum is sought as PrunedMax does, for which each
/// output's steepness is needed.
void apply_fused_max(const std::vector<PackedLinear>& layers, const std::vector<float>& steepness,
                     const Rows& in, std::size_t clouds, float* out, Context& context);

}  // namespace pointtree::model::engine

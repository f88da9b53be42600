#pragma once

#include <vector>

#include "coarse_linear.hpp"
#include "linear_call.hpp"

namespace pointtree::inference::engine {

/// Applies layers one after the other to small tiles of rows, so that what lies between two layers
/// (1,024 values per point at the leaves and in the T-Net) never leaves the second-level cache.
void apply_fused(const std::vector<PackedLinear>& layers, const Rows& in,
                 const LinearTarget& target, Context& context);

/// What helps to find the maxima of the last layer's outputs without computing them all; either may
/// be empty.
struct MaxAids {
  std::vector<float> steepness;  ///< of an int8 layer with rows, see PrunedMax
  CoarseLinear coarse;           ///< of a float32 layer, see ScreenedMax
};

/// The same followed by a maximum over the rows of each cloud: out is [clouds, out], densely
/// packed. Where the last layer has rows, the maximum is sought as PrunedMax does; where there is a
/// coarse form of it and the processor multiplies that fast, as ScreenedMax does.
void apply_fused_max(const std::vector<PackedLinear>& layers, const MaxAids& aids, const Rows& in,
                     std::size_t clouds, float* out, Context& context);

}  // namespace pointtree::inference::engine

#pragma once

#include <vector>

#include "packed_linear.hpp"

namespace pointtree::inference::engine {

/// How much each output of an MLP may be expected to change per unit of distance between inputs:
/// 0.7 times the length of its gradient that 95 % of points in a ball do not exceed. The ball has
/// twice the mean radius that clouds are normalised to; further channels are drawn from the
/// standard normal distribution.
std::vector<float> steepness(const std::vector<LinearWeights>& layers);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "packed_linear.hpp"
#include "pointtree/inference/network_plan.hpp"

namespace pointtree::inference::engine {

/// Gives the values of a stored tensor as float32, in row-major order.
using TensorReader = std::function<std::vector<float>(const std::string& name)>;

/// One linear map and activation that answer as the layer called `name` does in evaluation: batch
/// normalisation is folded into weight and bias in double precision.
LinearWeights fold(const std::string& name, const DensePlan& plan, const TensorReader& read);

/// The columns [first, first + count) of a map's weight as a map of their own.
LinearWeights columns(const LinearWeights& map, std::size_t first, std::size_t count);

}  // namespace pointtree::inference::engine

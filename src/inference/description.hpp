// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "pointtree/inference/network_plan.hpp"

namespace pointtree::inference {

/// What a network costs.
struct NetworkCost {
  std::int64_t parameters = 0;     ///< trained numbers used in inference
  std::int64_t training_only = 0;  ///< trained numbers of the heads that only training needs
  std::int64_t multiply_adds =
      0;  ///< per cloud in inference, of the linear maps as the paper writes them
};

/// Sums over all layers.
NetworkCost cost(const NetworkPlan& plan);

/// A table of layers, shapes, parameters and multiply-adds with sums per part, for people.
std::string describe_as_text(const NetworkPlan& plan);

/// The same as JSON, with the configuration and the names and shapes of all stored tensors.
std::string describe_as_json(const NetworkPlan& plan);

}  // namespace pointtree::inference

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "datasets/loader.hpp"

namespace pointtree::datasets {

/// One cloud of an epoch.
struct EpochItem {
  std::size_t index = 0;  ///< in the data set
  std::size_t copy = 0;   ///< which of its copies
};

/// The clouds that every epoch holds, before shuffling.
std::vector<EpochItem> epoch_items(const Dataset& dataset, const LoaderConfig& config);

/// The items in the order of one epoch.
std::vector<EpochItem> epoch_order(std::vector<EpochItem> items, const LoaderConfig& config,
                                   std::size_t epoch);

}  // namespace pointtree::datasets

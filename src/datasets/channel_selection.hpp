// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// The same clouds with exactly these channels, in this order: those of the data set, and
/// geometry::kSizeChannel, which is computed (see with_size). Throws std::runtime_error naming a
/// channel that the data set does not have.
std::unique_ptr<Dataset> with_channels(std::unique_ptr<Dataset> dataset,
                                       const std::vector<std::string>& names);

/// Names in a list separated by commas.
std::vector<std::string> channel_names(const std::string& list);

}  // namespace pointtree::datasets

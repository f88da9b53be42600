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

/// The data set with one more channel, geometry::kSizeChannel: how large each cloud is. Clouds
/// whose unit is not known are as long as a made-up object of their class, drawn by their index, so
/// that a model of unit size gets sizes that such things have. Throws std::invalid_argument where a
/// cloud's unit is unknown and its class is not one of simulation::object_classes().
std::unique_ptr<Dataset> with_size(std::unique_ptr<Dataset> dataset);

}  // namespace pointtree::datasets

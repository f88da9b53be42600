// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// The data set with one more channel, geometry::kSizeChannel: how large each cloud is. Clouds
/// whose unit is not known are as long as a made-up object of their class, drawn by their index, so
/// that a model of unit size gets sizes that such things have. Throws std::invalid_argument where a
/// cloud's unit is unknown and its class is not one of simulation::object_classes().
std::unique_ptr<Dataset> with_size(std::unique_ptr<Dataset> dataset);

}  // namespace pointtree::datasets

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// The sixteen categories of ShapeNetPart and their fifty parts.
DatasetInfo shapenet_part_info(const std::string& kind, const std::string& split);

}  // namespace pointtree::datasets

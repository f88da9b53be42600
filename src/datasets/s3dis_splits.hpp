// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// For every room, named `Area_<n>_…`, whether it belongs to the split (see readers.hpp); throws
/// std::runtime_error for an unknown split.
std::vector<bool> s3dis_rooms_of_split(const std::vector<std::string>& rooms,
                                       const std::string& split);

/// Classes and channels of S3DIS.
DatasetInfo s3dis_info(const std::string& kind, const std::string& split);

}  // namespace pointtree::datasets

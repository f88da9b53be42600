// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// Lidar scans in SemanticKITTI's layout, `sequences/<name>/{velodyne,labels}`, in blocks of at
/// most 4,096 points with the channels of perception::scan_channels(), as the pipeline cuts them;
/// several folders are joined by '+'.
///
/// Splits: `validation` is sequences 07 and 08, `test` is 10, `train` all others; a comma-separated
/// list names sequences itself. `train` is made from whole scans that are varied anew for every
/// group of examples (see ScanAugmentation): its examples are in random order already, and those
/// near each other share the work. The other splits are every block of every scan as it is.
std::unique_ptr<Dataset> open_semantickitti(const std::filesystem::path& dirs,
                                            const std::string& split);

}  // namespace pointtree::datasets

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// A folder of labelled clouds, `<class>/<file>`, or `<split>/<class>/<file>` where such folders
/// exist; any format that read_cloud knows. Without folders of their own, `train` (70 %),
/// `validation` (10 %) and `test` (20 %) are cut class by class, and `all` is everything. Points
/// that are not finite are left out.
std::unique_ptr<Dataset> open_labelled_folder(const std::filesystem::path& dir,
                                              const std::string& split);

/// A folder of clouds whose points are labelled, for example PCD with a field `label`, and
/// `classes.txt` with the names of the labels 0, 1, …; files lie in `<split>/`, or in the folder
/// itself for the split `all`.
std::unique_ptr<Dataset> open_labelled_clouds(const std::filesystem::path& dir,
                                              const std::string& split);

}  // namespace pointtree::datasets

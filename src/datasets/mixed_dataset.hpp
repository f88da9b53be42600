// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// The same split of several data sets, one after the other. Kinds and places are joined by '+',
/// for example "modelnet40+procedural_objects" and "DIR+size=4000". Throws std::runtime_error where
/// there are not as many places as kinds, or where the classes differ; one data set may know more
/// classes than another, after those that both know.
std::unique_ptr<Dataset> open_mixed(const std::filesystem::path& places, const std::string& kinds,
                                    const std::string& split);

}  // namespace pointtree::datasets

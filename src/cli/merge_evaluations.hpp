// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace pointtree::cli {

/// The record of a whole evaluation from those of the processes that shared its clouds. Throws
/// std::runtime_error where they are of different evaluations or lack the counts.
nlohmann::ordered_json merge_evaluations(const std::vector<nlohmann::ordered_json>& shares);

}  // namespace pointtree::cli

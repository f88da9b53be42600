// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pointtree::datasets {

/// Whether a split is a part of what the release calls `train`, which has no validation split of
/// its own.
bool cuts_train(const std::string& split, bool validation_is_stored);

/// The name under which the release keeps the clouds of a split.
std::string stored_split(const std::string& split, bool validation_is_stored);

/// The clouds of `train` (seven eighths of every class) or `validation` (one eighth), the same for
/// ever.
std::vector<std::size_t> cut_of_train(const std::vector<std::int32_t>& labels,
                                      const std::string& split);

}  // namespace pointtree::datasets

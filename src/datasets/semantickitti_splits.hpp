// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pointtree::datasets {

/// Whether a sequence of SemanticKITTI's layout belongs to a split: `validation` is 07 and 08,
/// `test` and `test_public` 10, `train` all others but 11 to 21, which have no labels, `train_all`
/// those and validation, `all` everything; else a list of sequences with commas.
bool sequence_in_split(const std::string& sequence, const std::string& split);

}  // namespace pointtree::datasets

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "executor.hpp"
#include "inference/preprocessor.hpp"

namespace pointtree::inference::engine {

/// Throws std::invalid_argument naming the cloud and what it should have been.
void check_clouds(const std::vector<CloudInput>& clouds, const EngineInfo& info);

/// Pre-aligns clouds of the same number of rows, builds their trees in parallel and lays them out
/// in leaf order in the context's arena; `posed` becomes their poses.
LeafBatch prepare_batch(const std::vector<const CloudInput*>& clouds, const EngineInfo& info,
                        Context& context, std::vector<std::optional<PosedCloud>>& posed);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "executor.hpp"
#include "inference/preprocessor.hpp"

namespace pointtree::inference::engine {

/// Throws std::invalid_argument naming the cloud and what it should have been.
void check_clouds(const std::vector<CloudInput>& clouds, const EngineInfo& info);

/// Pre-aligns clouds [first, first + count), builds their trees in parallel and lays them out in
/// leaf order in the context's arena; the poses are appended to `posed`.
LeafBatch prepare_batch(const std::vector<CloudInput>& clouds, std::size_t first, std::size_t count,
                        const EngineInfo& info, Context& context,
                        std::vector<std::optional<PosedCloud>>& posed);

}  // namespace pointtree::inference::engine

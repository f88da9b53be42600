// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "folding.hpp"
#include "implementation.hpp"

namespace pointtree::inference::engine {

/// Checks the options, packs the network and fills in what the plan knows about it; name, checksum,
/// classes, colours and channels come from the caller.
std::unique_ptr<Engine::Implementation> make_implementation(EngineInfo info,
                                                            const NetworkPlan& plan,
                                                            const EngineOptions& options,
                                                            const TensorReader& read);

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/inference/engine.hpp"
#include "pointtree/network/network.hpp"

namespace pointtree::network {

/// An engine that answers as `network` does in evaluation, for networks that are in memory rather
/// than in a bundle; classes are called by their number.
inference::Engine make_engine(const PointTreeNet& network,
                              const inference::EngineOptions& options = {});

}  // namespace pointtree::network

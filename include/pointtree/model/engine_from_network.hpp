#pragma once

#include "pointtree/model/engine.hpp"
#include "pointtree/model/network.hpp"

namespace pointtree::model {

/// An engine that answers as `network` does in evaluation, for networks that are in memory rather
/// than in a bundle; classes are called by their number.
Engine make_engine(const PointTreeNet& network, const EngineOptions& options = {});

}  // namespace pointtree::model

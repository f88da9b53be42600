// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/datasets/dataset.hpp"
#include "pointtree/network/network.hpp"
#include "training/batch_source.hpp"
#include "training/scores.hpp"

namespace pointtree::training {

/// Scores of a network (put into evaluation mode) over a data set.
Scores evaluate_network(network::PointTreeNet& network,
                        std::shared_ptr<const datasets::Dataset> data, const Evaluator& evaluator,
                        const EvaluationOptions& options);

}  // namespace pointtree::training

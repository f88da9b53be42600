#pragma once

#include "pointtree/data/dataset.hpp"
#include "pointtree/model/network.hpp"
#include "pointtree/training/batch_source.hpp"
#include "pointtree/training/scores.hpp"

namespace pointtree::training {

/// Scores of a network (put into evaluation mode) over a data set.
Scores evaluate_network(model::PointTreeNet& network, std::shared_ptr<const data::Dataset> data,
                        const Judge& judge, const EvaluationOptions& options);

}  // namespace pointtree::training

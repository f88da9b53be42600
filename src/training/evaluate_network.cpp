#include "pointtree/training/evaluate_network.hpp"

#include <ATen/core/grad_mode.h>

#include "pointtree/training/losses.hpp"

namespace pointtree::training {

Scores evaluate_network(model::PointTreeNet& network, std::shared_ptr<const data::Dataset> data,
                        const Judge& judge, const EvaluationOptions& options) {
  const at::NoGradGuard no_grad;
  network->eval();
  Scores scores(judge);
  auto batches = evaluation_batches(std::move(data), options);
  while (const auto batch = batches.next()) {
    const auto logits = network->forward(batch->points, batch->owner).logits;
    const auto loss = cross_entropy(logits, judge.targets(*batch), 0.0, judge.allowed(*batch));
    scores.add(judge, *batch, logits, loss.item<double>());
  }
  return scores;
}

}  // namespace pointtree::training

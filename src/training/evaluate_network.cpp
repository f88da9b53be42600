// SPDX-License-Identifier: Apache-2.0
#include "training/evaluate_network.hpp"

#include <ATen/core/grad_mode.h>

#include "compute_device.hpp"
#include "training/losses.hpp"

namespace pointtree::training {

Scores evaluate_network(network::PointTreeNet& network,
                        std::shared_ptr<const datasets::Dataset> data, const Evaluator& evaluator,
                        const EvaluationOptions& options) {
  const at::NoGradGuard no_grad;
  network->eval();
  const auto device = network->parameters().front().device();
  Scores scores(evaluator);
  auto batches = evaluation_batches(std::move(data), options);
  while (const auto batch = batches.next()) {
    const auto output =
        network->forward(on_device(batch->points, device), on_device(batch->owner, device));
    const auto logits = output.logits.cpu();
    const auto loss =
        cross_entropy(logits, evaluator.targets(*batch), 0.0, evaluator.allowed(*batch));
    scores.add(evaluator, *batch, logits, loss.item<double>());
  }
  return scores;
}

}  // namespace pointtree::training

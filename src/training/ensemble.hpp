// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "inference/manifest.hpp"
#include "pointtree/network/network.hpp"
#include "training/batch.hpp"
#include "training/evaluation.hpp"

namespace pointtree::training {

/// One network of an evaluated ensemble.
struct Member {
  inference::Manifest manifest;
  network::PointTreeNet network;  ///< in evaluation mode
  inference::ModelConfig config;  ///< the manifest's, or with the pre-alignment that was asked for
};

/// Loads the request's bundles with the further networks of each; throws std::invalid_argument
/// where they are no ensemble.
std::vector<Member> load_members(const EvaluationRequest& request);

/// One of the manifests' texts, joined by " + ".
std::string joined(const std::vector<Member>& members, std::string inference::Manifest::*field);

/// Logits of the mean of the members' probabilities; `batches` are the same clouds, one batch per
/// member.
at::Tensor ensemble_logits(std::vector<Member>& members, const std::vector<Batch>& batches);

}  // namespace pointtree::training

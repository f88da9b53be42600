#pragma once

#include <string>
#include <vector>

#include "inference/manifest.hpp"
#include "pointtree/network/network.hpp"
#include "training/batch.hpp"
#include "training/evaluation.hpp"

namespace pointtree::training {

/// A model that is judged, alone or together with others.
struct Member {
  inference::Manifest manifest;
  network::PointTreeNet network;  ///< in evaluation mode
  inference::ModelConfig config;  ///< the manifest's, or with the pre-alignment that was asked for
  int views;                      ///< looks at each cloud: those asked for, or the manifest's
};

/// Loads the request's models, or its only one and those that vote with it; throws
/// std::invalid_argument where they cannot vote together.
std::vector<Member> load_members(const EvaluationRequest& request);

/// One of the manifests' texts, joined by " + ".
std::string joined(const std::vector<Member>& members, std::string inference::Manifest::*field);

/// What one look at a batch adds to the committee's likelihoods, by the first `votes` mirrored
/// frames: every member has one say, however often it looks.
at::Tensor vote(Member& member, const Batch& batch, int votes);

}  // namespace pointtree::training

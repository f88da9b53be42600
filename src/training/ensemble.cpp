// SPDX-License-Identifier: Apache-2.0
#include "ensemble.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <stdexcept>

#include "inference/bundle.hpp"
#include "network/network_weights.hpp"

namespace pointtree::training {
namespace {

void check_ensemble(const std::vector<Member>& members) {
  const inference::Manifest& first = members.front().manifest;
  for (std::size_t i = 1; i < members.size(); ++i) {
    const inference::Manifest& other = members[i].manifest;
    const bool same_classes = std::equal(
        first.classes.begin(), first.classes.end(), other.classes.begin(), other.classes.end(),
        [](const auto& one, const auto& two) { return one.name == two.name; });
    const bool classify = first.model.task == inference::Task::classification &&
                          other.model.task == inference::Task::classification;
    if (!classify || !same_classes || first.channels != other.channels) {
      throw std::invalid_argument(
          "models: expected classifiers with the same classes and channels, " + first.name +
          " and " + other.name + " differ");
    }
  }
}

Member load_member(const inference::Bundle& bundle, const EvaluationRequest& request) {
  const inference::Manifest& manifest = bundle.manifest();
  Member member{manifest, network::load_network(bundle), manifest.model};
  if (request.pre_align) member.config.pre_align = *request.pre_align;
  return member;
}

}  // namespace

std::vector<Member> load_members(const EvaluationRequest& request) {
  if (request.models.empty()) throw std::invalid_argument("models: expected at least one");
  std::vector<Member> members;
  for (const auto& path : request.models) {
    const inference::Bundle bundle(path);
    members.push_back(load_member(bundle, request));
    for (const auto& folder : inference::ensemble_folders(bundle)) {
      members.push_back(load_member(inference::Bundle(folder), request));
    }
  }
  check_ensemble(members);
  return members;
}

std::string joined(const std::vector<Member>& members, std::string inference::Manifest::*field) {
  std::string text;
  for (const Member& member : members) {
    text += (text.empty() ? "" : " + ") + member.manifest.*field;
  }
  return text;
}

at::Tensor ensemble_logits(std::vector<Member>& members, const std::vector<Batch>& batches) {
  at::Tensor sum;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Batch& batch = batches[i];
    const auto probabilities =
        members[i].network->forward(batch.points, batch.owner).logits.softmax(-1);
    sum = sum.defined() ? sum + probabilities : probabilities;
  }
  return (sum / static_cast<double>(members.size())).clamp_min(1e-30).log();
}

}  // namespace pointtree::training

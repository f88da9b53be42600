// SPDX-License-Identifier: Apache-2.0
#include "ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "answers.hpp"

namespace pointtree::inference::engine {
namespace {

using Members = std::vector<std::unique_ptr<Engine::Implementation>>;

EngineInfo joint_info(const Members& members) {
  EngineInfo joint = members.front()->info();
  for (std::size_t i = 1; i < members.size(); ++i) {
    const EngineInfo& info = members[i]->info();
    if (joint.segments || info.segments || info.points != joint.points ||
        info.channels != joint.channels || info.classes != joint.classes) {
      throw std::invalid_argument(
          "ensemble: expected classifiers with the same points, channels and classes, " +
          joint.name + " and " + info.name + " differ");
    }
    joint.least_points = std::max(joint.least_points, info.least_points);
    joint.checksum += " + " + info.checksum;
    joint.parameters += info.parameters;
    joint.multiply_adds += info.multiply_adds;
  }
  return joint;
}

}  // namespace

Ensemble::Ensemble(Members members)
    : Implementation(joint_info(members)), members_(std::move(members)) {}

Answers<Classification> Ensemble::classify(const std::vector<CloudInput>& clouds) {
  const std::size_t classes = info().classes.size();
  std::vector<std::vector<float>> sums(clouds.size(), std::vector<float>(classes, 0.0F));
  Answers<Classification> joint;
  for (const auto& member : members_) {
    const auto answers = member->classify(clouds);
    joint.times.tree += answers.times.tree;
    joint.times.network += answers.times.network;
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      const auto& logs = answers.clouds[i].log_likelihoods;
      for (std::size_t c = 0; c < classes; ++c) sums[i][c] += std::exp(logs[c]);
    }
  }
  for (std::vector<float>& sum : sums) {
    // Logits up to a constant; no class has probability zero for every member.
    for (float& value : sum) value = std::log(std::max(value, 1e-30F));
    joint.clouds.push_back(classification_from(sum.data(), classes));
  }
  return joint;
}

Answers<Segmentation> Ensemble::segment(const std::vector<CloudInput>& /*clouds*/) {
  throw std::invalid_argument(info().name + " is an ensemble of classifiers; it cannot segment");
}

}  // namespace pointtree::inference::engine

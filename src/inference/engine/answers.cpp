// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::inference::engine {
namespace {

// The logarithm of the sum of exponentials, without overflow.
float log_sum(const float* logits, std::size_t classes) {
  const float largest = *std::max_element(logits, logits + classes);
  float sum = 0.0F;
  for (std::size_t c = 0; c < classes; ++c) sum += std::exp(logits[c] - largest);
  return largest + std::log(sum);
}

// −Σ p log p in nats.
float entropy(const float* logits, std::size_t classes, float normaliser) {
  float sum = 0.0F;
  for (std::size_t c = 0; c < classes; ++c) {
    const float log_likelihood = logits[c] - normaliser;
    sum -= std::exp(log_likelihood) * log_likelihood;
  }
  return sum;
}

std::size_t most_likely(const float* logits, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(logits, logits + classes) - logits);
}

}  // namespace

Classification classification_from(const float* logits, std::size_t classes) {
  Classification answer;
  const float normaliser = log_sum(logits, classes);
  answer.log_likelihoods.resize(classes);
  std::transform(logits, logits + classes, answer.log_likelihoods.begin(),
                 [&](float logit) { return logit - normaliser; });
  const std::size_t label = most_likely(logits, classes);
  answer.label = static_cast<std::int32_t>(label);
  answer.probability = std::exp(answer.log_likelihoods[label]);
  return answer;
}

Segmentation segmentation_from(const float* logits, std::size_t classes, PosedCloud posed) {
  const std::size_t points = posed.tree.leaf_order().size();
  Segmentation answer{std::vector<std::uint8_t>(points), std::vector<float>(points),
                      std::vector<float>(points), std::move(posed.pre_alignment),
                      std::move(posed.tree)};
  for (std::size_t leaf = 0; leaf < points; ++leaf) {
    const float* row = logits + leaf * classes;
    const auto point = static_cast<std::size_t>(answer.tree.leaf_order()[leaf]);
    const float normaliser = log_sum(row, classes);
    const std::size_t label = most_likely(row, classes);
    answer.labels[point] = static_cast<std::uint8_t>(label);
    answer.probabilities[point] = std::exp(row[label] - normaliser);
    answer.entropies[point] = entropy(row, classes, normaliser);
  }
  return answer;
}

}  // namespace pointtree::inference::engine

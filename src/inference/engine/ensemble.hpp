// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "implementation.hpp"

namespace pointtree::inference::engine {

/// Classifiers of the same classes that answer with the mean of their probabilities.
class Ensemble final : public Engine::Implementation {
 public:
  /// Takes at least one member; the first one's name stands for all. Throws std::invalid_argument
  /// naming the member whose task, points, channels or classes are not the first one's.
  explicit Ensemble(std::vector<std::unique_ptr<Implementation>> members);

  Answers<Classification> classify(const std::vector<CloudInput>& clouds) override;
  Answers<Segmentation> segment(const std::vector<CloudInput>& clouds) override;

 private:
  std::vector<std::unique_ptr<Implementation>> members_;
};

}  // namespace pointtree::inference::engine

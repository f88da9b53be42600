// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "pointtree/inference/engine.hpp"

namespace pointtree::perception {

/// What the pipeline asks of a network; the inference engine in the field, a stand-in in tests.
class Recogniser {
 public:
  Recogniser() = default;
  Recogniser(const Recogniser&) = delete;
  Recogniser& operator=(const Recogniser&) = delete;
  virtual ~Recogniser() = default;

  /// What the model expects and answers.
  virtual const inference::EngineInfo& info() const = 0;

  /// Classifies whole clouds; see inference::Engine.
  virtual inference::Answers<inference::Classification> classify(
      const std::vector<inference::CloudInput>& clouds) const = 0;

  /// Labels every point of every cloud; see inference::Engine.
  virtual inference::Answers<inference::Segmentation> segment(
      const std::vector<inference::CloudInput>& clouds) const = 0;
};

}  // namespace pointtree::perception

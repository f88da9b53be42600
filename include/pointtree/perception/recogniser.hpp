#pragma once

#include <memory>
#include <vector>

#include "pointtree/model/engine.hpp"

namespace pointtree::perception {

/// What the pipeline asks of a network; the inference engine in the field, a stand-in in tests.
class Recogniser {
 public:
  Recogniser() = default;
  Recogniser(const Recogniser&) = delete;
  Recogniser& operator=(const Recogniser&) = delete;
  virtual ~Recogniser() = default;

  /// What the model expects and answers.
  virtual const model::EngineInfo& info() const = 0;

  /// Classifies whole clouds; see model::Engine.
  virtual model::Answers<model::Classification> classify(
      const std::vector<model::CloudInput>& clouds) const = 0;

  /// Labels every point of every cloud; see model::Engine.
  virtual model::Answers<model::Segmentation> segment(
      const std::vector<model::CloudInput>& clouds) const = 0;
};

}  // namespace pointtree::perception

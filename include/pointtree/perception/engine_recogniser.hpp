// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pointtree/perception/recogniser.hpp"

namespace pointtree::perception {

/// The inference engine as the pipeline sees it.
class EngineRecogniser final : public Recogniser {
 public:
  explicit EngineRecogniser(std::shared_ptr<const inference::Engine> engine)
      : engine_(std::move(engine)) {}

  const inference::EngineInfo& info() const override { return engine_->info(); }

  inference::Answers<inference::Classification> classify(
      const std::vector<inference::CloudInput>& clouds) const override {
    return engine_->classify(clouds);
  }

  inference::Answers<inference::Segmentation> segment(
      const std::vector<inference::CloudInput>& clouds) const override {
    return engine_->segment(clouds);
  }

 private:
  std::shared_ptr<const inference::Engine> engine_;
};

}  // namespace pointtree::perception

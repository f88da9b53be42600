#pragma once

#include <memory>

#include "pointtree/perception/recogniser.hpp"

namespace pointtree::perception {

/// The inference engine as the pipeline sees it.
class EngineRecogniser final : public Recogniser {
 public:
  explicit EngineRecogniser(std::shared_ptr<const model::Engine> engine)
      : engine_(std::move(engine)) {}

  const model::EngineInfo& info() const override { return engine_->info(); }

  model::Answers<model::Classification> classify(
      const std::vector<model::CloudInput>& clouds) const override {
    return engine_->classify(clouds);
  }

  model::Answers<model::Segmentation> segment(
      const std::vector<model::CloudInput>& clouds) const override {
    return engine_->segment(clouds);
  }

 private:
  std::shared_ptr<const model::Engine> engine_;
};

}  // namespace pointtree::perception

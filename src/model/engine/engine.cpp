#include "pointtree/model/engine.hpp"

#include "implementation.hpp"

namespace pointtree::model {

Engine::Engine(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

const EngineInfo& Engine::info() const { return implementation_->info(); }

Answers<Classification> Engine::classify(const std::vector<CloudInput>& clouds) const {
  return implementation_->classify(clouds);
}

Answers<Segmentation> Engine::segment(const std::vector<CloudInput>& clouds) const {
  return implementation_->segment(clouds);
}

}  // namespace pointtree::model

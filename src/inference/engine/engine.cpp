// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/engine.hpp"

#include <stdexcept>

#include "ensemble.hpp"
#include "inference/bundle.hpp"
#include "make_implementation.hpp"

namespace pointtree::inference {
namespace {

std::unique_ptr<Engine::Implementation> load_network(const Bundle& bundle,
                                                     const EngineOptions& options) {
  const Manifest& manifest = bundle.manifest();
  EngineInfo info;
  info.name = manifest.name;
  info.checksum = manifest.weights_sha256;
  info.channels = manifest.channels;
  info.precision = manifest.precision;
  for (const ClassInfo& entry : manifest.classes) {
    info.classes.push_back(entry.name);
    info.colours.push_back(entry.colour);
  }
  return engine::make_implementation(std::move(info), bundle.plan(), options,
                                     [&](const std::string& name) { return bundle.values(name); });
}

std::unique_ptr<Engine::Implementation> load(const std::filesystem::path& folder,
                                             const EngineOptions& options) {
  const Bundle bundle(folder);
  auto first = load_network(bundle, options);
  if (bundle.manifest().ensemble.empty()) return first;
  std::vector<std::unique_ptr<Engine::Implementation>> members;
  members.push_back(std::move(first));
  for (const auto& member : ensemble_folders(bundle)) {
    members.push_back(load_network(Bundle(member), options));
  }
  try {
    return std::make_unique<engine::Ensemble>(std::move(members));
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(folder.string() + ": " + error.what());
  }
}

}  // namespace

int EngineInfo::leaf_channels() const {
  return 3 + static_cast<int>(channels.size()) + features.channels(points);
}

Engine::Engine(const std::filesystem::path& bundle, const EngineOptions& options)
    : Engine(load(bundle, options)) {}
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

}  // namespace pointtree::inference

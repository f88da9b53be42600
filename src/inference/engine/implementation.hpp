// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "packed_network.hpp"
#include "pointtree/inference/engine.hpp"
#include "workspace.hpp"

namespace pointtree::inference {

/// A model ready to answer, on whichever device.
class Engine::Implementation {
 public:
  explicit Implementation(EngineInfo info) : info_(std::move(info)) {}
  virtual ~Implementation() = default;
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  const EngineInfo& info() const { return info_; }

  virtual Answers<Classification> classify(const std::vector<CloudInput>& clouds) = 0;
  virtual Answers<Segmentation> segment(const std::vector<CloudInput>& clouds) = 0;

 protected:
  /// Throws std::invalid_argument where the model does not do what is asked.
  void check_task(bool segments) const;

 private:
  EngineInfo info_;
};

namespace engine {

/// A packed network on the CPU with the workspaces of its calls.
class CpuImplementation final : public Engine::Implementation {
 public:
  CpuImplementation(EngineInfo info, PackedNetwork network, int max_batch, int threads);

  Answers<Classification> classify(const std::vector<CloudInput>& clouds) override;
  Answers<Segmentation> segment(const std::vector<CloudInput>& clouds) override;

 private:
  void warm_up();

  /// Answers all clouds in passes of at most max_batch; `answer(logits, posed)` makes one answer.
  template <typename Answer, typename MakeAnswer>
  Answers<Answer> run(const std::vector<CloudInput>& clouds, std::size_t logits_per_cloud,
                      const MakeAnswer& make_answer);

  PackedNetwork network_;
  std::size_t max_batch_;
  WorkspacePool workspaces_;
};

}  // namespace engine
}  // namespace pointtree::inference

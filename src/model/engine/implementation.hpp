#pragma once

#include <vector>

#include "packed_network.hpp"
#include "pointtree/model/engine.hpp"
#include "workspace.hpp"

namespace pointtree::model {

/// A packed network with its description and the workspaces of its calls.
class Engine::Implementation {
 public:
  Implementation(EngineInfo info, engine::PackedNetwork network, int max_batch, int threads);

  const EngineInfo& info() const { return info_; }

  /// Answers all clouds in passes of at most max_batch; `answer(logits, posed)` makes one answer.
  template <typename Answer, typename MakeAnswer>
  Answers<Answer> run(const std::vector<CloudInput>& clouds, std::size_t logits_per_cloud,
                      const MakeAnswer& make_answer);

  Answers<Classification> classify(const std::vector<CloudInput>& clouds);
  Answers<Segmentation> segment(const std::vector<CloudInput>& clouds);

 private:
  void warm_up();

  EngineInfo info_;
  engine::PackedNetwork network_;
  std::size_t max_batch_;
  engine::WorkspacePool workspaces_;
};

}  // namespace pointtree::model

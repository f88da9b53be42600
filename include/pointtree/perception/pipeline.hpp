// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <tl/expected.hpp>

#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/recogniser.hpp"
#include "pointtree/perception/reject_reason.hpp"

namespace pointtree::perception {

/// From a cloud to labelled points and objects.
///
/// The same clouds give the same results on any number of threads. One pipeline serves one stream
/// of frames: it tracks objects and keeps its buffers between calls, so calls must not overlap.
class Pipeline {
 public:
  /// Throws std::invalid_argument where the configuration has faults or the model doesn't fit the
  /// mode.
  Pipeline(const PipelineConfig& config, std::shared_ptr<const Recogniser> recogniser);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  /// Labels every point of a cloud; `stamp` is the cloud's, in nanoseconds. A rejected cloud leaves
  /// the pipeline as it was.
  tl::expected<FrameResult, RejectReason> process(const CloudView& cloud, std::int64_t stamp);

  /// The same for a cloud whose description was not checked yet.
  tl::expected<FrameResult, RejectReason> process(const io::PointCloud2Message& cloud,
                                                  std::int64_t stamp);

  const PipelineConfig& config() const;
  const inference::EngineInfo& info() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pointtree::perception

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/recogniser.hpp"
#include "replay_source.hpp"

namespace pointtree::cli {

/// What `pointtree replay` was asked for; empty paths mean that nothing of the
/// kind is written.
struct ReplayOptions {
  std::filesystem::path recording;
  ReplaySelection selection;
  perception::PipelineConfig config;
  double rate = 0.0;  ///< times real time; 0: as fast as it goes
  int loops = 1;      ///< times the recording is played
  std::filesystem::path labels;
  std::filesystem::path output;
  std::filesystem::path report;
  std::filesystem::path picture;
  std::filesystem::path page;
  std::size_t frame = 0;         ///< the frame in the picture; the last where there are fewer
  std::size_t page_frames = 10;  ///< frames in the page, from the pictured one on
};

/// Plays a recording through the pipeline, every frame of it, writes what was
/// asked for and returns the summary. Throws std::runtime_error naming what
/// can't be read or written.
std::string replay(const ReplayOptions& options,
                   std::shared_ptr<const perception::Recogniser> recogniser);

}  // namespace pointtree::cli

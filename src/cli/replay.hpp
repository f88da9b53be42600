// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pointtree/perception/pipeline_config.hpp"
#include "pointtree/perception/recogniser.hpp"
#include "replay_source.hpp"
#include "share.hpp"

namespace pointtree::cli {

/// What `pointtree replay` was asked for; empty paths mean that nothing of the
/// kind is written.
struct ReplayOptions {
  std::vector<std::filesystem::path> recordings;
  Share share;             ///< which of the recordings are played; names of outputs get its number
  bool overwrite = false;  ///< replace outputs that exist
  std::vector<std::filesystem::path> inputs;  ///< further files that no output may replace
  ReplaySelection selection;
  perception::PipelineConfig config;
  double rate = 0.0;             ///< times real time; 0: as fast as it goes
  int loops = 1;                 ///< times the recording is played
  std::filesystem::path labels;  ///< names of the labels' numbers; "none": labels are ignored
  std::filesystem::path output;  ///< for several recordings a folder with a bag for each
  std::filesystem::path report;
  std::filesystem::path picture;
  std::filesystem::path page;
  std::size_t frame = 0;         ///< the frame in the picture
  std::size_t page_frames = 20;  ///< frames in the page, from the pictured one on
};

/// What came of a replay.
struct ReplayOutcome {
  std::string text;          ///< the summary for people
  bool interrupted = false;  ///< stopped by Ctrl-C; the text and the files hold what was measured
  std::size_t failed = 0;    ///< recordings that could not be played; the others were
};

/// Plays recordings through the pipeline, every frame of them, and writes what was asked for. A
/// frame or file that can't be used is counted, and so is a recording where there are several.
/// Throws std::runtime_error naming what can't be read or written, or where no frame could be used.
ReplayOutcome replay(const ReplayOptions& options,
                     std::shared_ptr<const perception::Recogniser> recogniser);

}  // namespace pointtree::cli

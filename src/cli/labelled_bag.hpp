// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "pointtree/inference/engine.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"
#include "replay_source.hpp"

namespace pointtree::cli {

/// What the ROS nodes would have published, as a bag: labelled and coloured clouds, objects and
/// markers.
class LabelledBag {
 public:
  /// A .mcap file or a rosbag2 folder; throws std::runtime_error where it can't be written.
  explicit LabelledBag(const std::filesystem::path& path);

  void write(const ReplayFrame& frame, const perception::CloudView& cloud,
             const perception::FrameResult& result, const inference::EngineInfo& model);

  void close() { writer_.close(); }

 private:
  std::size_t add_topic(const char* name, std::string_view type);

  io::BagWriter writer_;
  std::size_t segmentation_;
  std::size_t visualization_;
  std::size_t objects_;
  std::size_t markers_;
};

}  // namespace pointtree::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/point_cloud2.hpp"

namespace pointtree::cli {

/// A cloud of a recording; valid until the next one is asked for.
struct ReplayFrame {
  std::string name;           ///< of the file, or topic and stamp
  std::int64_t log_time = 0;  ///< nanoseconds
  io::PointCloud2Message message;
  std::string fault;  ///< why there is no message: the file or the message can't be read
};

/// Which part of a recording to play.
struct ReplaySelection {
  std::string topic;   ///< of a bag; empty: its only topic of clouds
  double start = 0.0;  ///< seconds after the recording's begin
  double duration = std::numeric_limits<double>::infinity();  ///< seconds
  io::BagBackend reader = io::BagBackend::automatic;
};

/// The clouds of a bag, a cloud file or a folder of such files, one after the
/// other and none left out.
class ReplaySource {
 public:
  ReplaySource() = default;
  ReplaySource(const ReplaySource&) = delete;
  ReplaySource& operator=(const ReplaySource&) = delete;
  virtual ~ReplaySource() = default;

  /// The next cloud, or nothing after the last; throws io::ReadError where the recording can't be
  /// read on.
  virtual std::optional<ReplayFrame> next() = 0;

  /// How many clouds there are, where that is known beforehand.
  virtual std::optional<std::size_t> count() const { return std::nullopt; }

  /// How much of it was played, 0 to 1.
  virtual double done() const = 0;

  /// What was wrong with the recording, one sentence each; complete after the
  /// last cloud.
  virtual std::vector<std::string> findings() const { return {}; }
};

/// Opens a recording; throws std::runtime_error naming the path and what was
/// expected there. Files beside which there are SemanticKITTI labels (x.label,
/// or ../labels/x.label) get them as a field "label".
std::unique_ptr<ReplaySource> open_recording(const std::filesystem::path& path,
                                             const ReplaySelection& selection);

/// The recordings that the paths stand for: a folder of bags for each of its bags, all else for
/// itself.
std::vector<std::filesystem::path> expand_recordings(
    const std::vector<std::filesystem::path>& paths);

}  // namespace pointtree::cli

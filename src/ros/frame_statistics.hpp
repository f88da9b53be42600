// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace pointtree::ros {

/// What happened to the frames so far. Once nothing waits or is at work:
/// received = processed + dropped + rejected; what was sent is received + lost.
struct FrameCounts {
  std::uint64_t received = 0;
  std::uint64_t processed = 0;  ///< answered and published
  std::uint64_t dropped = 0;    ///< replaced by a newer frame while waiting, or came while paused
  std::uint64_t rejected = 0;
  std::uint64_t lost = 0;  ///< by the middleware, before the node could take them
  std::map<std::string, std::uint64_t> rejected_by_reason;
};

/// The counts, and how fast answers came.
struct FrameReport {
  FrameCounts total;
  FrameCounts recent;         ///< since the last report
  double rate = 0.0;          ///< frames answered per second since the last report
  double latency_mean = 0.0;  ///< milliseconds from arrival to publication, last 600 frames
  double latency_p99 = 0.0;
  double worst_latency = 0.0;  ///< since the last report
  std::int64_t age = 0;        ///< nanoseconds from the last frame's stamp to its publication
};

/// Counts frames and measures latency; may be used from several threads.
class FrameStatistics {
 public:
  using Clock = std::chrono::steady_clock;

  void add_received();
  void add_dropped();

  /// Counts a rejected frame; true where its reason is a new one.
  bool add_rejected(const std::string& reason);

  /// Counts an answered frame; the latency is in milliseconds, the age in nanoseconds.
  void add_processed(double latency, std::int64_t age);

  /// The state now, with the clouds lost so far; what is "recent" begins anew.
  FrameReport report(std::uint64_t lost = 0);

  FrameCounts counts() const;

 private:
  static constexpr std::size_t kWindow = 600;  ///< a minute at 10 Hz

  mutable std::mutex mutex_;
  FrameCounts total_;
  FrameCounts at_last_report_;
  std::vector<double> latencies_;  ///< a ring of the last kWindow
  std::size_t next_ = 0;
  double worst_latency_ = 0.0;
  std::int64_t age_ = 0;
  Clock::time_point last_report_ = Clock::now();
};

}  // namespace pointtree::ros

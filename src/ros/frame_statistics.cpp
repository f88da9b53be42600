// SPDX-License-Identifier: Apache-2.0
#include "ros/frame_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pointtree::ros {
namespace {

FrameCounts difference(const FrameCounts& now, const FrameCounts& before) {
  FrameCounts counts;
  counts.received = now.received - before.received;
  counts.processed = now.processed - before.processed;
  counts.dropped = now.dropped - before.dropped;
  counts.rejected = now.rejected - before.rejected;
  counts.lost = now.lost - std::min(now.lost, before.lost);  // fewer, if one came after all
  for (const auto& [reason, count] : now.rejected_by_reason) {
    const auto old = before.rejected_by_reason.find(reason);
    const std::uint64_t added = count - (old == before.rejected_by_reason.end() ? 0 : old->second);
    if (added > 0) counts.rejected_by_reason[reason] = added;
  }
  return counts;
}

}  // namespace

void FrameStatistics::add_received() {
  const std::lock_guard lock(mutex_);
  ++total_.received;
}

void FrameStatistics::add_dropped() {
  const std::lock_guard lock(mutex_);
  ++total_.dropped;
}

bool FrameStatistics::add_rejected(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  ++total_.rejected;
  return ++total_.rejected_by_reason[reason] == 1;
}

void FrameStatistics::add_processed(double latency, std::int64_t age) {
  const std::lock_guard lock(mutex_);
  ++total_.processed;
  if (latencies_.size() < kWindow) {
    latencies_.push_back(latency);
  } else {
    latencies_[next_] = latency;
  }
  next_ = (next_ + 1) % kWindow;
  worst_latency_ = std::max(worst_latency_, latency);
  age_ = age;
}

FrameReport FrameStatistics::report(std::uint64_t lost) {
  const std::lock_guard lock(mutex_);
  total_.lost = lost;
  FrameReport report;
  report.total = total_;
  report.recent = difference(total_, at_last_report_);
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> elapsed = now - last_report_;
  if (elapsed.count() > 0.0) {
    report.rate = static_cast<double>(report.recent.processed) / elapsed.count();
  }
  if (!latencies_.empty()) {
    std::vector<double> sorted = latencies_;
    std::sort(sorted.begin(), sorted.end());
    const auto count = static_cast<double>(sorted.size());
    report.latency_mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
    report.latency_p99 = sorted[static_cast<std::size_t>(std::ceil(0.99 * count)) - 1];
  }
  report.worst_latency = std::exchange(worst_latency_, 0.0);
  report.age = age_;
  at_last_report_ = total_;
  last_report_ = now;
  return report;
}

FrameCounts FrameStatistics::counts() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

}  // namespace pointtree::ros

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace pointtree::ros {

/// Where a frame waits for the worker: there is one place, and the newest frame wins it.
template <typename Frame>
class FrameSlot {
 public:
  /// Puts a frame; gives back the one that has to leave: the waiting one, or, after stop(), itself.
  std::optional<Frame> put(Frame frame) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return frame;
    std::optional<Frame> replaced = std::exchange(waiting_, std::move(frame));
    arrived_.notify_one();
    return replaced;
  }

  /// Waits for a frame; empty after stop(), even where one waits.
  std::optional<Frame> take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return stopped_ || waiting_.has_value(); });
    if (stopped_) return std::nullopt;
    return std::exchange(waiting_, std::nullopt);
  }

  /// Lets take() return for good; gives back the frame that still waited.
  std::optional<Frame> stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    arrived_.notify_all();
    return std::exchange(waiting_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Frame> waiting_;
  bool stopped_ = false;
};

}  // namespace pointtree::ros

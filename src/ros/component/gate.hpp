// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace pointtree::ros {

/// Lets callbacks in until it is closed. A container may take a node apart on one thread while
/// another still runs one of its callbacks, so these share the gate, which outlives what it guards.
class Gate {
 public:
  /// Does the work, unless closed.
  template <typename Work>
  void pass(Work&& work) {
    const std::shared_lock lock(mutex_);
    if (open_) std::forward<Work>(work)();
  }

  /// Returns once nobody is inside.
  void close() {
    const std::unique_lock lock(mutex_);
    open_ = false;
  }

 private:
  std::shared_mutex mutex_;
  bool open_ = true;
};

}  // namespace pointtree::ros

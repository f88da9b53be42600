// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "thread_pool.hpp"

namespace pointtree::inference::engine {

/// What one call needs for itself: threads and scratch memory.
struct Workspace {
  explicit Workspace(int threads) : pool(threads) {}
  ThreadPool pool;
  Arena arena;
};

/// Workspaces for as many calls as have ever run at the same time; they are kept, so a call in
/// steady state starts no thread and allocates no scratch memory.
class WorkspacePool {
 public:
  explicit WorkspacePool(int threads) : threads_(threads) {}

  /// A workspace that returns to the pool when it goes out of scope.
  class Lease {
   public:
    Lease(WorkspacePool& pool, std::unique_ptr<Workspace> workspace)
        : pool_(pool), workspace_(std::move(workspace)) {}
    ~Lease() { pool_.give_back(std::move(workspace_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Workspace& operator*() const { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

  Lease lease() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return {*this, std::make_unique<Workspace>(threads_)};
    std::unique_ptr<Workspace> workspace = std::move(idle_.back());
    idle_.pop_back();
    return {*this, std::move(workspace)};
  }

 private:
  void give_back(std::unique_ptr<Workspace> workspace) {
    workspace->arena.reset();
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
  }

  int threads_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pointtree::inference::engine {

/// Threads that share the loops of one call; the caller is worker 0. Starting a loop allocates
/// nothing.
class ThreadPool {
 public:
  explicit ThreadPool(int size);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls work(task, worker) once for every task in [0, tasks), in any order, worker in
  /// [0, size()); returns when all are done. The first exception is thrown again here.
  template <typename Work>
  void run(std::int64_t tasks, Work&& work) {
    if (tasks <= 1 || threads_.empty()) {
      for (std::int64_t task = 0; task < tasks; ++task) work(task, 0);
      return;
    }
    run_loop(tasks, &work, [](void* context, std::int64_t task, int worker) {
      (*static_cast<std::remove_reference_t<Work>*>(context))(task, worker);
    });
  }

 private:
  using Call = void (*)(void* context, std::int64_t task, int worker);
  void run_loop(std::int64_t tasks, void* context, Call call);
  void take_tasks(int worker);
  void serve(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  std::int64_t loop_ = 0;  // counts loops, so that a worker knows a new one
  int busy_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;

  std::int64_t tasks_ = 0;
  void* context_ = nullptr;
  Call call_ = nullptr;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.hpp"

namespace pointtree::inference::engine {

ThreadPool::ThreadPool(int size) {
  for (int worker = 1; worker < size; ++worker) {
    threads_.emplace_back([this, worker] { serve(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_loop(std::int64_t tasks, void* context, Call call) {
  {
    const std::lock_guard lock(mutex_);
    tasks_ = tasks;
    context_ = context;
    call_ = call;
    next_.store(0, std::memory_order_relaxed);
    busy_ = static_cast<int>(threads_.size());
    error_ = nullptr;
    ++loop_;
  }
  start_.notify_all();
  take_tasks(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(error_);
}

void ThreadPool::take_tasks(int worker) {
  try {
    for (;;) {
      const std::int64_t task = next_.fetch_add(1, std::memory_order_relaxed);
      if (task >= tasks_) return;
      call_(context_, task, worker);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    next_.store(tasks_, std::memory_order_relaxed);
  }
}

void ThreadPool::serve(int worker) {
  std::int64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || loop_ != seen; });
      if (stop_) return;
      seen = loop_;
    }
    take_tasks(worker);
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    done_.notify_one();
  }
}

}  // namespace pointtree::inference::engine

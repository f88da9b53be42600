// SPDX-License-Identifier: Apache-2.0
#include "geometry/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace pointtree::geometry {

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void for_each_in_parallel(std::size_t count, int threads,
                          const std::function<void(std::size_t)>& task) {
  const auto wanted = static_cast<std::size_t>(thread_count(threads));
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < std::min(wanted, count); ++t) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace pointtree::geometry

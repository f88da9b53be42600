// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace pointtree::cli {

/// Clocks that benchmarks read, in seconds.
inline double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
/// Processor time of this thread: other programs don't count.
inline double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
/// Processor time of all threads of this process.
inline double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
inline double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

/// Keeps the least of several measurements of the same work.
class Least {
 public:
  template <typename Work>
  void measure(double (*clock)(), const Work& work) {
    const double start = clock();
    work();
    seconds_ = std::min(seconds_, clock() - start);
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
};

}  // namespace pointtree::cli

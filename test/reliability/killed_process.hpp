// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <functional>
#include <random>
#include <stdexcept>

namespace pointtree::reliability {

/// What is killed: calls what it is given with a growing number once what the number stands for is
/// promised to be kept.
using Work = std::function<void(const std::function<void(std::int64_t)>& promise)>;

/// Runs `work` in a process of its own and kills that with SIGKILL after `delay`, wherever it is.
/// Returns the last number that was promised, 0 where none was; throws where the process failed by
/// itself.
inline std::int64_t kill_while(const Work& work, std::chrono::microseconds delay) {
  using Clock = std::chrono::steady_clock;
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(ends[0]);
    try {
      work([&](std::int64_t number) {
        if (::write(ends[1], &number, sizeof(number)) != sizeof(number)) ::_exit(1);
      });
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::int64_t last = 0;
  const auto hear = [&] { return ::read(ends[0], &last, sizeof(last)) == sizeof(last); };
  // Until the time is over, or the process, whose end of the pipe closes then.
  for (const auto end = Clock::now() + delay; Clock::now() < end;) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now());
    const timespec timeout{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    pollfd pipe{ends[0], POLLIN, 0};
    if (left.count() < 0 || ::ppoll(&pipe, 1, &timeout, nullptr) <= 0 || !hear()) break;
  }
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  while (hear()) {
  }
  ::close(ends[0]);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!killed && status != 0) throw std::runtime_error("the process failed by itself");
  return last;
}

/// A time in which `work` gets as far as that number on this machine, busy as it is.
inline std::chrono::microseconds time_until(const Work& work, std::int64_t number) {
  std::chrono::microseconds time(4'000);
  while (kill_while(work, time) < number) time *= 2;
  return time;
}

/// Moments from "hardly started" to "long at work".
class Moments {
 public:
  explicit Moments(std::chrono::microseconds longest) : longest_(longest) {}

  std::chrono::microseconds next() {
    return std::chrono::microseconds(static_cast<std::int64_t>(random_()) % longest_.count());
  }

 private:
  std::chrono::microseconds longest_;
  std::mt19937 random_{8};
};

}  // namespace pointtree::reliability

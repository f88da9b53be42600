#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>

namespace pointtree::reliability {

/// Runs `work` in a process of its own and kills that with SIGKILL after `delay`, wherever it is.
/// `work` calls what it is given with a growing number once what the number stands for is promised
/// to be kept; returns the last one that was promised, 0 where none was.
inline std::int64_t kill_while(
    const std::function<void(const std::function<void(std::int64_t)>& promise)>& work,
    std::chrono::microseconds delay) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(ends[0]);
    work([&](std::int64_t number) {
      if (::write(ends[1], &number, sizeof(number)) != sizeof(number)) ::_exit(1);
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(delay);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  std::int64_t last = 0;
  while (::read(ends[0], &last, sizeof(last)) == sizeof(last)) {
  }
  ::close(ends[0]);
  return last;
}

}  // namespace pointtree::reliability

// SPDX-License-Identifier: Apache-2.0
#include "io/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace pointtree::io {
namespace {

constexpr double kTerminalSeconds = 0.2;
constexpr int kBarCells = 24;

}  // namespace

ProgressLine::ProgressLine(double seconds_between)
    : terminal_(isatty(STDERR_FILENO) == 1),
      seconds_between_(terminal_ ? kTerminalSeconds : seconds_between) {}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) std::fputc('\n', stderr);
}

void ProgressLine::clear() {
  if (drawn_ && terminal_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressLine::show(double done, const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < seconds_between_) return;
  last_ = now;
  done = std::clamp(done, 0.0, 1.0);
  if (!terminal_) {
    std::fprintf(stderr, "%5.1f %% %s\n", 100.0 * done, text.c_str());
    return;
  }
  const int filled = static_cast<int>(std::lround(done * kBarCells));
  const std::string bar = std::string(filled, '#') + std::string(kBarCells - filled, '.');
  clear();
  std::fprintf(stderr, "[%s] %5.1f %% %s", bar.c_str(), 100.0 * done, text.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::say(const std::string& line) {
  clear();
  std::fprintf(stderr, "%s\n", line.c_str());
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, std::min(seconds, 1e9)));
  std::array<char, 32> buffer{};
  if (whole >= 3600) {
    std::snprintf(buffer.data(), buffer.size(), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  } else {
    std::snprintf(buffer.data(), buffer.size(), "%lld:%02lld", whole / 60, whole % 60);
  }
  return buffer.data();
}

std::string time_left(double seconds, double done) {
  if (done <= 0.0) return "";
  return ", " + clock_text(seconds * (1.0 / done - 1.0)) + " left";
}

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

void request_interrupt(int signal_number) {
  if (interrupt_requested != 0) {
    // The user insists: die as if there had been no handler.
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
  }
  interrupt_requested = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requested = 0;
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() const { return interrupt_requested != 0; }

}  // namespace pointtree::io

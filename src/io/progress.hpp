// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace pointtree::io {

/// A line that is rewritten in place on a terminal and printed now and then elsewhere.
class ProgressLine {
 public:
  /// `seconds_between` is the least time between two lines where standard error is not a terminal.
  explicit ProgressLine(double seconds_between = 60.0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows a bar with the done share (0…1) and a text; rate-limited.
  void show(double done, const std::string& text);

  /// Prints a line that stays, above the bar.
  void say(const std::string& line);

 private:
  void clear();

  bool terminal_;
  bool drawn_ = false;
  double seconds_between_;
  std::chrono::steady_clock::time_point last_{};
};

/// A duration as 1:02:03 or 2:03.
std::string clock_text(double seconds);

/// ", 2:03 left" of work of which a share `done` took so many seconds; empty where nothing is done.
std::string time_left(double seconds, double done);

/// While it lives, SIGINT and SIGTERM ask for an orderly end instead of killing the process; a
/// second SIGINT kills at once. At most one may live at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether an end was asked for.
  bool requested() const;
};

}  // namespace pointtree::io

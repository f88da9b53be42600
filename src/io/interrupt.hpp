// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pointtree::io {

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

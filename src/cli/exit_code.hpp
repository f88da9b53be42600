// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace pointtree::cli {

/// What the program tells scripts, besides 0 for success: the work failed; ...
inline constexpr int kFailure = 1;
/// ... the command line was wrong, nothing was done; ...
inline constexpr int kUsage = 2;
/// ... stopped by Ctrl-C or SIGTERM after finishing its files, as shells have it.
inline constexpr int kInterrupted = 130;

/// The command line asks for something that can't be; ends the program with kUsage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pointtree::cli

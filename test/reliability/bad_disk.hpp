// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace pointtree::reliability {

/// What a check on a bad disk found; empty where all was well.
struct DiskOutcome {
  bool skipped = false;  ///< no such disk could be made here
  std::string message;
};

/// Runs the check, which returns what is wrong, in a process of its own whose given folder is a
/// disk of so many bytes.
DiskOutcome on_small_disk(std::size_t bytes,
                          const std::function<std::string(const std::filesystem::path&)>& check);

/// The same where nothing can be written; `prepare` fills the folder before.
DiskOutcome on_read_only_disk(
    const std::function<void(const std::filesystem::path&)>& prepare,
    const std::function<std::string(const std::filesystem::path&)>& check);

}  // namespace pointtree::reliability

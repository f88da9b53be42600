// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace pointtree::io {

/// A folder that takes the place of another as a whole: whoever opens the name sees the old files
/// or the new ones, never some of each, even if the machine stops half-way.
///
/// Files go to a folder beside it; commit() exchanges the two names and removes the old files.
/// Without a commit the new folder is removed. Throws std::runtime_error naming the path and the
/// reason.
class ReplacedFolder {
 public:
  /// Takes an existing folder.
  explicit ReplacedFolder(const std::filesystem::path& folder);
  ~ReplacedFolder();
  ReplacedFolder(const ReplacedFolder&) = delete;
  ReplacedFolder& operator=(const ReplacedFolder&) = delete;

  /// Where the new files are written.
  const std::filesystem::path& staging() const { return staging_; }

  /// False where the file system can't exchange names; nothing has changed then.
  bool commit();

 private:
  std::filesystem::path folder_;
  std::filesystem::path staging_;
};

}  // namespace pointtree::io

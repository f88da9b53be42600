// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace pointtree::io {

/// A file or folder that appears under its name complete or not at all: whoever opens the name sees
/// the old content or the new, even if the machine stops half-way.
///
/// It is written as staging(), which has the same name in a folder of its own beside the final
/// place; commit() syncs it and renames it. Without a commit it is removed. Throws
/// std::runtime_error naming the path and the reason.
class StagedPath {
 public:
  /// Creates the folder for the new content, which shows that the place can be written to.
  explicit StagedPath(std::filesystem::path path);
  ~StagedPath();
  StagedPath(const StagedPath&) = delete;
  StagedPath& operator=(const StagedPath&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Where the new content is written, by the same name.
  const std::filesystem::path& staging() const { return staging_; }

  /// Puts what was written in its place. What is already there is replaced, a folder as a whole;
  /// without `replace` it is kept, and that is an error.
  void commit(bool replace);

 private:
  std::filesystem::path path_;
  std::filesystem::path staging_;
};

/// Waits until the names in the folder of a path are on the disk: only a synced folder remembers a
/// new name after a power cut.
void sync_parent(const std::filesystem::path& path);

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "pointtree/io/byte_view.hpp"

namespace pointtree::io {

/// A file that grows; each write is handed to the system as a whole before it returns.
class OutputFile {
 public:
  /// Creates the file or empties the one that is there; throws std::runtime_error where it can't.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::uint64_t size() const { return size_; }

  /// Appends; throws std::runtime_error naming the file, for example where the disk is full.
  void write(ByteView bytes);

  /// Waits until everything is on the disk, and closes.
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

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

/// A file that appears under its name complete or not at all, even if the machine stops half-way: a
/// StagedPath with the file in it. All functions throw std::runtime_error naming the path and the
/// reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path)
      : staged_(std::move(path)), file_(staged_.staging()) {}

  void write(const void* data, std::size_t size) {
    file_.write({static_cast<const std::uint8_t*>(data), size});
  }
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit() {
    file_.commit();
    staged_.commit(true);
  }

 private:
  StagedPath staged_;
  OutputFile file_;
};

/// A temporary folder that goes with its owner.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pointtree_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("can't create a temporary folder like " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

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

}  // namespace pointtree::io

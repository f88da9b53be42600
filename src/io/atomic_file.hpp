// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pointtree::io {

/// A file that appears under its name complete or not at all, even if the machine stops half-way.
///
/// Bytes go to a temporary file beside it; commit() syncs it, renames it and syncs the folder.
/// Without a commit the temporary file is removed. All functions throw std::runtime_error naming
/// the path and the reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace pointtree::io

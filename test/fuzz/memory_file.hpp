// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace pointtree::fuzz {

/// A file that lives in memory but has a path, for readers that open one.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) std::abort();
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  /// Replaces all of the file.
  const std::filesystem::path& fill(const std::uint8_t* bytes, std::size_t size) {
    if (ftruncate(descriptor_, 0) != 0) std::abort();
    if (size > 0 && pwrite(descriptor_, bytes, size, 0) != static_cast<ssize_t>(size)) std::abort();
    return path_;
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

/// Runs a reader on the input as a file: it may refuse it with an `Error` that names the file, and
/// with nothing else.
template <typename Error, typename Reader>
int refuse_or_open(const std::uint8_t* bytes, std::size_t size, Reader read) {
  static MemoryFile file("input");
  const auto& path = file.fill(bytes, size);
  try {
    read(path);
  } catch (const Error& error) {
    if (std::string(error.what()).find(path.string()) == std::string::npos) std::abort();
  }
  return 0;
}

}  // namespace pointtree::fuzz

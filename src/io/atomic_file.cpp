// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace pointtree::io {
namespace {

constexpr mode_t kReadableByAll = 0644;

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::string pattern = path_.string() + ".XXXXXX";
  descriptor_ = mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("create");
  temporary_ = pattern;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (fchmod(descriptor_, kReadableByAll) != 0) fail("set the mode of");
  if (fsync(descriptor_) != 0) fail("sync");
  if (close(std::exchange(descriptor_, -1)) != 0) fail("close");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
  temporary_.clear();
  // Only a synced folder remembers the new name after a power cut.
  const auto parent = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  const int folder = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("open the folder of");
  const bool synced = fsync(folder) == 0;
  const int reason = errno;
  close(folder);
  errno = reason;
  if (!synced) fail("sync the folder of");
}

void AtomicFile::fail(const char* action) const {
  const std::error_code reason(errno, std::generic_category());
  throw std::runtime_error(path_.string() + ": cannot " + action +
                           " this file: " + reason.message());
}

}  // namespace pointtree::io

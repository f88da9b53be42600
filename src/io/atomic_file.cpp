// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace pointtree::io {

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path.string()) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("create");
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(ByteView bytes) {
  if (descriptor_ < 0) throw std::runtime_error("'" + path_ + "' is closed");
  const auto start = static_cast<off_t>(size_);
  while (bytes.size > 0) {
    const ssize_t written = ::write(descriptor_, bytes.data, bytes.size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // What was written of it is taken back, so that the file ends with a whole piece and a retry
      // is possible.
      const int reason = written < 0 ? errno : ENOSPC;
      if (::ftruncate(descriptor_, start) == 0) ::lseek(descriptor_, start, SEEK_SET);
      size_ = static_cast<std::uint64_t>(start);
      errno = reason;
      fail("write");
    }
    bytes.data += written;
    bytes.size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
}

void OutputFile::commit() {
  if (::fsync(descriptor_) != 0) fail("sync");
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0) fail("close");
}

void OutputFile::fail(const char* what) const {
  throw std::runtime_error(std::string("can't ") + what + " '" + path_ +
                           "': " + std::generic_category().message(errno));
}

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOpenToAll = 0755;

[[noreturn]] void fail(const fs::path& path, const std::string& action) {
  const std::error_code reason(errno, std::generic_category());
  throw std::runtime_error(path.string() + ": cannot " + action + ": " + reason.message());
}

void sync(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "open");
  const bool synced = fsync(descriptor) == 0;
  const int reason = errno;
  close(descriptor);
  errno = reason;
  if (!synced) fail(path, "sync");
}

void sync_all(const fs::path& path) {
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path)) sync(entry.path());
  }
  sync(path);
}

/// Whether an error says that the file system does not know a flag of renameat2.
bool flag_is_unknown() { return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP; }

void rename_to_new_name(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (!flag_is_unknown()) fail(to, "create");
  if (fs::exists(to)) {
    errno = EEXIST;
    fail(to, "create");
  }
  if (rename(from.c_str(), to.c_str()) != 0) fail(to, "create");
}

void rename_over(const fs::path& from, const fs::path& to) {
  if (!fs::is_directory(to)) {
    if (rename(from.c_str(), to.c_str()) != 0) fail(to, "replace");
    return;
  }
  if (!fs::is_directory(from)) {
    errno = EISDIR;
    fail(to, "replace");
  }
  // A folder can't be renamed over one that has files: the two exchange names, and the old one goes
  // with the staging folder.
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) return;
  if (!flag_is_unknown()) fail(to, "replace");
  const fs::path old = from.parent_path() / "replaced";
  if (rename(to.c_str(), old.c_str()) != 0) fail(to, "replace");
  if (rename(from.c_str(), to.c_str()) != 0) {
    const int reason = errno;
    if (rename(old.c_str(), to.c_str()) != 0) fail(to, "put back");
    errno = reason;
    fail(to, "replace");
  }
}

}  // namespace

StagedPath::StagedPath(fs::path path) : path_(std::move(path)) {
  std::string pattern = path_.string() + ".part-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) fail(path_, "write here");
  staging_ = fs::path(pattern) / path_.filename();
  if (chmod(pattern.c_str(), kOpenToAll) != 0) fail(pattern, "set the mode of this folder");
}

StagedPath::~StagedPath() {
  std::error_code ignored;  // what can't be removed is unused
  fs::remove_all(staging_.parent_path(), ignored);
}

void StagedPath::commit(bool replace) {
  sync_all(staging_);
  if (replace && fs::exists(path_)) {
    rename_over(staging_, path_);
  } else {
    rename_to_new_name(staging_, path_);
  }
  // Only a synced folder remembers a new name after a power cut.
  sync(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include "staged_path.hpp"

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
  sync_parent(path_);
}

void sync_parent(const fs::path& path) {
  sync(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

}  // namespace pointtree::io

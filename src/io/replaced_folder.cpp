// SPDX-License-Identifier: Apache-2.0
#include "replaced_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace pointtree::io {
namespace {

constexpr mode_t kOpenToAll = 0755;

[[noreturn]] void fail(const std::filesystem::path& folder, const std::string& action) {
  const std::error_code reason(errno, std::generic_category());
  throw std::runtime_error(folder.string() + ": cannot " + action + ": " + reason.message());
}

}  // namespace

ReplacedFolder::ReplacedFolder(const std::filesystem::path& folder)
    : folder_(std::filesystem::canonical(folder)) {
  std::string pattern = folder_.string() + ".XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) fail(folder_, "create a folder beside this one");
  staging_ = pattern;
  if (chmod(staging_.c_str(), kOpenToAll) != 0) fail(staging_, "set the mode of this folder");
}

ReplacedFolder::~ReplacedFolder() {
  std::error_code ignored;  // what can't be removed is unused
  std::filesystem::remove_all(staging_, ignored);
}

bool ReplacedFolder::commit() {
  if (renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) != 0) {
    if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) return false;
    fail(folder_, "replace this folder");
  }
  const int parent = open(folder_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) fail(folder_, "open the folder above this one");
  const bool synced = fsync(parent) == 0;
  const int reason = errno;
  close(parent);
  errno = reason;
  if (!synced) fail(folder_, "sync the folder above this one");
  return true;
}

}  // namespace pointtree::io

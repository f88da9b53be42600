// SPDX-License-Identifier: Apache-2.0
#include "reliability/bad_disk.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace pointtree::reliability {
namespace {

namespace fs = std::filesystem;

constexpr int kNoDisk = 77;

struct NoDisk : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A view of the file system of this process's own, in which it may mount.
bool leave_shared_mounts() {
  const uid_t user = ::getuid();
  if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (user != 0) std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool mount_disk(const fs::path& folder, std::size_t bytes) {
  const std::string size = "size=" + std::to_string(bytes);
  return leave_shared_mounts() &&
         ::mount("pointtree", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
}

/// Runs `work`, which returns a message, in a child and brings the message back.
DiskOutcome in_child(const std::function<std::string(const fs::path&)>& work) {
  std::string pattern = (fs::temp_directory_path() / "pointtree-disk-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return {true, "no temporary folder"};
  int ends[2];
  if (::pipe(ends) != 0) return {true, "no pipe"};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    std::string message;
    try {
      message = work(pattern);
    } catch (const NoDisk& error) {
      message = error.what();
      if (::write(ends[1], message.data(), message.size()) < 0) ::_exit(1);
      ::_exit(kNoDisk);
    } catch (const std::exception& error) {
      message = std::string("unexpected: ") + error.what();
    }
    ::_exit(::write(ends[1], message.data(), message.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  DiskOutcome outcome;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    outcome.message.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  fs::remove(pattern);
  outcome.skipped = WIFEXITED(status) && WEXITSTATUS(status) == kNoDisk;
  if (!WIFEXITED(status)) outcome.message += "the process died by signal";
  return outcome;
}

[[noreturn]] void no_disk() {
  throw NoDisk("no disk can be mounted here: " + std::generic_category().message(errno));
}

}  // namespace

DiskOutcome on_small_disk(std::size_t bytes,
                          const std::function<std::string(const fs::path&)>& check) {
  return in_child([&](const fs::path& folder) {
    if (!mount_disk(folder, bytes)) no_disk();
    return check(folder);
  });
}

DiskOutcome on_read_only_disk(const std::function<void(const fs::path&)>& prepare,
                              const std::function<std::string(const fs::path&)>& check) {
  return in_child([&](const fs::path& folder) {
    if (!mount_disk(folder, 1 << 20)) no_disk();
    prepare(folder);
    if (::mount("pointtree", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0)
      no_disk();
    return check(folder);
  });
}

}  // namespace pointtree::reliability

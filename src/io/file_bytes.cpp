// SPDX-License-Identifier: Apache-2.0
#include "file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
namespace {

/// A file descriptor that removes its file unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    name_ = target.string() + ".XXXXXX";
    descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("can't create a file beside");
    ::fchmod(descriptor_, 0644);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(ByteView bytes) {
    while (bytes.size > 0) {
      const ssize_t written = ::write(descriptor_, bytes.data, bytes.size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("can't write");
      bytes.data += written;
      bytes.size -= static_cast<std::size_t>(written);
    }
  }

  void commit() {
    if (::fsync(descriptor_) != 0) fail("can't sync");
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail("can't rename to");
    name_.clear();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " '" + target_.string() +
                             "': " + std::generic_category().message(errno));
  }

  std::filesystem::path target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

Bytes read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ReadError("'" + path.string() + "' is no file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) throw ReadError("can't read '" + path.string() + "': " + error.message());
  if (size > max_bytes) {
    throw ReadError("'" + path.string() + "' has " + std::to_string(size) +
                    " bytes, more than the ceiling of " + std::to_string(max_bytes));
  }
  std::ifstream file(path, std::ios::binary);
  Bytes bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uint64_t>(file.gcount()) != size) {
    throw ReadError("can't read '" + path.string() + "': " + std::to_string(file.gcount()) +
                    " of " + std::to_string(size) + " bytes came");
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::initializer_list<ByteView> parts) {
  TemporaryFile file(path);
  for (const auto& part : parts) file.write(part);
  file.commit();
}

}  // namespace pointtree::io

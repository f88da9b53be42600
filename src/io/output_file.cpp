// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

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

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include "byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : path_(path.string()) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
      const int reason = errno;
      if (descriptor_ >= 0) ::close(descriptor_);
      throw ReadError("can't open '" + path_ + "': " + std::generic_category().message(reason));
    }
    if (!S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      throw ReadError("'" + path_ + "' is no file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileSource() override { ::close(descriptor_); }

  std::uint64_t size() const override { return size_; }

 protected:
  void copy(std::uint64_t offset, std::uint8_t* to, std::size_t count) const override {
    while (count > 0) {
      const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        throw ReadError("can't read '" + path_ + "': " + std::generic_category().message(errno));
      if (got == 0) throw ReadError("'" + path_ + "' became shorter while it was read");
      to += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(ByteView bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size; }

 protected:
  void copy(std::uint64_t offset, std::uint8_t* to, std::size_t count) const override {
    if (count > 0) std::memcpy(to, bytes_.data + offset, count);
  }

 private:
  ByteView bytes_;
};

}  // namespace

Bytes ByteSource::read(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size() || count > size() - offset) {
    throw ReadError(std::to_string(count) + " bytes expected at offset " + std::to_string(offset) +
                    " of " + std::to_string(size()));
  }
  Bytes bytes(static_cast<std::size_t>(count));
  copy(offset, bytes.data(), bytes.size());
  return bytes;
}

std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> open_source(ByteView bytes) {
  return std::make_unique<MemorySource>(bytes);
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "io/safetensors.hpp"
#include "safetensors_content.hpp"

namespace pointtree::io {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw std::runtime_error(path.string() + ": cannot read this file: " + reason);
  };
  const auto reason = [] { return std::error_code(errno, std::generic_category()).message(); };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(reason());
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  void* memory = nullptr;
  if (known && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  const std::string map_reason = reason();
  close(descriptor);
  if (!known || memory == MAP_FAILED) fail(map_reason);
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path), file_(path) {
  SafetensorsContent content = parse_safetensors(path.string(), file_.data(), file_.size());
  tensors_ = std::move(content.tensors);
  metadata_ = std::move(content.metadata);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_[tensors_[i].name] = i;
}

const TensorView* SafetensorsFile::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace pointtree::io

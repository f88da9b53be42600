// SPDX-License-Identifier: Apache-2.0
#include "buffer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pointtree::inference::engine {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void Buffer::Release::operator()(std::byte* bytes) const { std::free(bytes); }

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
  if (bytes_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  // A wish, not a demand: the buffer works without.
  if (alignment == kHugePage) (void)::madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
#endif
  std::memset(bytes_.get(), 0, rounded);
}

}  // namespace pointtree::inference::engine

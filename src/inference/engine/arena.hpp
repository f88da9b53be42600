// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "buffer.hpp"

namespace pointtree::inference::engine {

/// Scratch memory handed out front to back and taken back all at once or down to a mark. It grows
/// while a network runs for the first time; after that a run of the same size allocates nothing.
class Arena {
 public:
  /// A place to return to.
  struct Mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };

  /// Uninitialised elements, aligned to a cache line, with a cache line to spare behind them.
  template <typename Element = float>
  Element* take(std::size_t count) {
    const std::size_t bytes = (count * sizeof(Element) / kLine + 2) * kLine;
    while (mark_.block < blocks_.size() && blocks_[mark_.block].size() - mark_.used < bytes) {
      mark_ = {mark_.block + 1, 0};
    }
    if (mark_.block == blocks_.size()) blocks_.emplace_back(std::max(bytes, kSmallestBlock));
    auto* place = blocks_[mark_.block].as<std::byte>() + mark_.used;
    mark_.used += bytes;
    return reinterpret_cast<Element*>(place);
  }

  Mark mark() const { return mark_; }
  void release(Mark mark) { mark_ = mark; }
  void reset() { mark_ = {}; }

  /// Bytes held from the system.
  std::size_t capacity() const {
    std::size_t sum = 0;
    for (const Buffer& block : blocks_) sum += block.size();
    return sum;
  }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kSmallestBlock = std::size_t{1} << 20;
  std::vector<Buffer> blocks_;
  Mark mark_;
};

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace pointtree::inference::engine {

/// Zeroed bytes aligned to a cache line; large ones sit in huge pages where the system grants them,
/// since address translation would otherwise slow the reading of hundreds of megabytes of weights.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes);

  std::size_t size() const { return size_; }

  template <typename Element>
  Element* as() {
    return reinterpret_cast<Element*>(bytes_.get());
  }
  template <typename Element>
  const Element* as() const {
    return reinterpret_cast<const Element*>(bytes_.get());
  }

 private:
  struct Release {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte, Release> bytes_;
  std::size_t size_ = 0;
};

}  // namespace pointtree::inference::engine

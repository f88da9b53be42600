// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pointtree::fuzz {

/// Takes plain values from the front of an input; zeros where it has ended.
class RawValues {
 public:
  RawValues(const std::uint8_t* bytes, std::size_t size) : next_(bytes), left_(size) {}

  template <typename T>
  T take() {
    T value{};
    if (left_ < sizeof(T)) {
      left_ = 0;
      return value;
    }
    std::memcpy(&value, next_, sizeof(T));
    next_ += sizeof(T);
    left_ -= sizeof(T);
    return value;
  }

  const std::uint8_t* rest() const { return next_; }
  std::size_t left() const { return left_; }

 private:
  const std::uint8_t* next_;
  std::size_t left_;
};

}  // namespace pointtree::fuzz

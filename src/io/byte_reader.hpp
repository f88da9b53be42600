// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// Takes little-endian numbers from the front of a buffer; throws ReadError instead of reading past
/// its end.
class ByteReader {
 public:
  /// `what` names the input in errors and must outlive the reader.
  ByteReader(ByteView bytes, std::string_view what) : bytes_(bytes), what_(what) {}

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size - position_; }
  bool done() const { return remaining() == 0; }

  std::uint8_t u8() { return *take(1); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(unsigned_number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(unsigned_number(4)); }
  std::uint64_t u64() { return unsigned_number(8); }

  /// The next `count` bytes, not copied.
  ByteView bytes(std::uint64_t count) {
    const std::uint8_t* first = take(count);
    return {first, static_cast<std::size_t>(count)};
  }

  /// A text preceded by its 32-bit length.
  std::string_view text() { return bytes(u32()).text(); }

 private:
  const std::uint8_t* take(std::uint64_t count) {
    if (count > remaining()) {
      throw ReadError(std::string(what_) + ": " + std::to_string(count) +
                      " bytes expected at offset " + std::to_string(position_) + ", " +
                      std::to_string(remaining()) + " are left");
    }
    const std::uint8_t* first = bytes_.data + position_;
    position_ += static_cast<std::size_t>(count);
    return first;
  }

  std::uint64_t unsigned_number(std::size_t width) {
    const std::uint8_t* first = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{first[i]} << (8 * i);
    return value;
  }

  ByteView bytes_;
  std::string_view what_;
  std::size_t position_ = 0;
};

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "pointtree/io/byte_view.hpp"

namespace pointtree::io {

/// Bytes that can be read from anywhere, in a file or in memory.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const = 0;

  /// The bytes from `offset`; throws ReadError where they are not all there.
  Bytes read(std::uint64_t offset, std::uint64_t count) const;

 protected:
  /// Copies bytes that lie within size().
  virtual void copy(std::uint64_t offset, std::uint8_t* to, std::size_t count) const = 0;
};

/// Opens a file; throws ReadError where it can't.
std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path);

/// Reads from memory, which must outlive the source.
std::unique_ptr<ByteSource> open_source(ByteView bytes);

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#include "io/cdr.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

namespace pointtree::io {
namespace {

constexpr std::size_t kHeaderBytes = 4;

template <typename To, typename From>
To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

std::size_t padding(std::size_t position, std::size_t alignment) {
  return (alignment - position % alignment) % alignment;
}

}  // namespace

CdrReader::CdrReader(ByteView message) {
  if (message.size < kHeaderBytes) {
    throw ReadError("CDR: a header of 4 bytes expected, found " + std::to_string(message.size) +
                    " bytes");
  }
  const int kind = message.data[0] << 8 | message.data[1];
  if (kind > 1)
    throw ReadError("CDR: encapsulation 0 or 1 (plain CDR) expected, found " +
                    std::to_string(kind));
  big_endian_ = kind == 0;
  bytes_ = {message.data + kHeaderBytes, message.size - kHeaderBytes};
}

const std::uint8_t* CdrReader::take(std::size_t count, std::size_t alignment) {
  const std::size_t skipped = padding(position_, alignment);
  if (skipped > remaining() || count > remaining() - skipped) {
    throw ReadError("CDR: " + std::to_string(count) + " bytes expected at offset " +
                    std::to_string(position_ + skipped) + ", the message has " +
                    std::to_string(bytes_.size));
  }
  const std::uint8_t* first = bytes_.data + position_ + skipped;
  position_ += skipped + count;
  return first;
}

std::uint64_t CdrReader::number(std::size_t width) {
  const std::uint8_t* first = take(width, width);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t shift = big_endian_ ? width - 1 - i : i;
    value |= std::uint64_t{first[i]} << (8 * shift);
  }
  return value;
}

float CdrReader::f32() { return bits_as<float>(u32()); }

double CdrReader::f64() { return bits_as<double>(u64()); }

std::string_view CdrReader::text() {
  const std::uint32_t length = u32();
  // Some writers give an empty text no terminating zero.
  if (length == 0) return {};
  const std::uint8_t* first = take(length, 1);
  if (first[length - 1] != 0) throw ReadError("CDR: a text should end with a zero");
  return ByteView(first, length - 1).text();
}

std::uint32_t CdrReader::sequence(std::size_t least_bytes) {
  const std::uint32_t count = u32();
  if (count > remaining() / least_bytes) {
    throw ReadError("CDR: a sequence of " + std::to_string(count) +
                    " elements does not fit into the " + std::to_string(remaining()) +
                    " bytes that are left");
  }
  return count;
}

ByteView CdrReader::byte_sequence() {
  const std::uint32_t count = u32();
  return {take(count, 1), count};
}

CdrWriter::CdrWriter(bool big_endian)
    : bytes_{0, static_cast<std::uint8_t>(big_endian ? 0 : 1), 0, 0}, big_endian_(big_endian) {}

void CdrWriter::number(std::uint64_t value, std::size_t width) {
  bytes_.resize(bytes_.size() + padding(bytes_.size() - kHeaderBytes, width));
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t shift = big_endian_ ? width - 1 - i : i;
    bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * shift)));
  }
}

void CdrWriter::f32(float value) { u32(bits_as<std::uint32_t>(value)); }

void CdrWriter::f64(double value) { u64(bits_as<std::uint64_t>(value)); }

void CdrWriter::text(std::string_view value) {
  sequence(value.size() + 1);
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  bytes_.push_back(0);
}

void CdrWriter::sequence(std::size_t count) {
  if (count > UINT32_MAX)
    throw std::length_error("CDR: a sequence of " + std::to_string(count) + " elements");
  u32(static_cast<std::uint32_t>(count));
}

void CdrWriter::byte_sequence(ByteView bytes) {
  sequence(bytes.size);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

}  // namespace pointtree::io

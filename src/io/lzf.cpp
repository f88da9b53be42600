// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>

#include "io/compression.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
namespace {

/// Copies a run that may overlap what it produces, as repeats do.
void repeat(std::uint8_t* out, std::size_t distance, std::size_t length) {
  if (distance >= length) {
    std::memcpy(out, out - distance, length);
  } else {
    const std::uint8_t* from = out - distance;
    for (std::size_t i = 0; i < length; ++i) out[i] = from[i];
  }
}

}  // namespace

Bytes lzf_unpack(ByteView packed, std::size_t size) {
  if (size / kLzfMaxRatio > packed.size) {
    throw ReadError("LZF data of " + std::to_string(packed.size) +
                    " bytes can't hold the promised " + std::to_string(size));
  }
  Bytes out(size);
  std::size_t filled = 0;
  std::size_t at = 0;
  const auto need = [&](std::size_t bytes) {
    if (bytes > packed.size - at) throw ReadError("LZF data ends in the middle of a run");
  };
  const auto produce = [&](std::size_t bytes) {
    if (bytes > size - filled) {
      throw ReadError("LZF data gives more than the promised " + std::to_string(size) + " bytes");
    }
  };
  while (at < packed.size) {
    const std::size_t control = packed.data[at++];
    if (control < 32) {  // a literal run
      const std::size_t length = control + 1;
      need(length);
      produce(length);
      std::memcpy(out.data() + filled, packed.data + at, length);
      at += length;
      filled += length;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) {
      need(1);
      length += packed.data[at++];
    }
    need(1);
    const std::size_t distance = ((control & 31) << 8 | packed.data[at++]) + 1;
    length += 2;
    if (distance > filled) throw ReadError("LZF data refers to bytes before its start");
    produce(length);
    repeat(out.data() + filled, distance, length);
    filled += length;
  }
  if (filled != size) {
    throw ReadError("LZF data gives " + std::to_string(filled) + " bytes, " + std::to_string(size) +
                    " were promised");
  }
  return out;
}

}  // namespace pointtree::io

#include "lzf.hpp"

#include <string>

#include "pointtree/data/read_limits.hpp"

namespace pointtree::data {
namespace {

/// Copies a run that may overlap what it produces, as repeats do.
void repeat(Bytes& out, std::size_t distance, std::size_t length) {
  const std::size_t from = out.size() - distance;
  for (std::size_t i = 0; i < length; ++i) out.push_back(out[from + i]);
}

}  // namespace

Bytes lzf_unpack(ByteView packed, std::size_t size) {
  if (size / kLzfMaxRatio > packed.size) {
    throw ReadError("LZF data of " + std::to_string(packed.size) +
                    " bytes can't hold the promised " + std::to_string(size));
  }
  Bytes out;
  out.reserve(size);
  std::size_t at = 0;
  const auto need = [&](std::size_t bytes) {
    if (bytes > packed.size - at) throw ReadError("LZF data ends in the middle of a run");
  };
  const auto produce = [&](std::size_t bytes) {
    if (bytes > size - out.size()) {
      throw ReadError("LZF data gives more than the promised " + std::to_string(size) + " bytes");
    }
  };
  while (at < packed.size) {
    const std::size_t control = packed.data[at++];
    if (control < 32) {  // a literal run
      const std::size_t length = control + 1;
      need(length);
      produce(length);
      out.insert(out.end(), packed.data + at, packed.data + at + length);
      at += length;
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
    if (distance > out.size()) throw ReadError("LZF data refers to bytes before its start");
    produce(length);
    repeat(out, distance, length);
  }
  if (out.size() != size) {
    throw ReadError("LZF data gives " + std::to_string(out.size()) + " bytes, " +
                    std::to_string(size) + " were promised");
  }
  return out;
}

}  // namespace pointtree::data

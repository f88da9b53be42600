// SPDX-License-Identifier: Apache-2.0
#include "fat_binary.hpp"

#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

// NVIDIA does not document the format; these are the fields that matter here.
namespace pointtree::ptxsim {
namespace {

struct Registered {
  std::uint32_t magic;
  std::uint32_t version;
  const std::byte* binary;
};

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  ///< behind the header
};

struct Entry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  ///< behind the header
  std::uint32_t compressed_bytes;
  std::uint32_t options;
  std::uint32_t ptx_version;
  std::uint32_t architecture;
};

constexpr std::uint32_t kRegisteredMagic = 0x466243B1;
constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint16_t kPtx = 1;

template <typename T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

std::string decompress(const std::byte* data, std::size_t bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(data, bytes);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) {
    throw std::runtime_error("fat binary: PTX is compressed otherwise than by Zstandard");
  }
  std::string text(size, '\0');
  const std::size_t found = ZSTD_decompress(text.data(), text.size(), data, bytes);
  if (ZSTD_isError(found) != 0) throw std::runtime_error("fat binary: PTX is damaged");
  return text;
}

}  // namespace

std::map<unsigned, std::string> embedded_ptx(const void* registered) {
  const auto given = read<Registered>(static_cast<const std::byte*>(registered));
  if (given.magic != kRegisteredMagic || read<Header>(given.binary).magic != kMagic) {
    throw std::runtime_error("fat binary: unknown format");
  }
  const auto header = read<Header>(given.binary);
  std::map<unsigned, std::string> texts;
  const std::byte* at = given.binary + header.header_bytes;
  for (const std::byte* end = at + header.bytes; at < end;) {
    const auto entry = read<Entry>(at);
    if (entry.kind == kPtx) {
      const std::byte* data = at + entry.header_bytes;
      std::string text = entry.compressed_bytes > 0
                             ? decompress(data, entry.compressed_bytes)
                             : std::string(reinterpret_cast<const char*>(data), entry.bytes);
      texts[entry.architecture] = text.substr(0, text.find('\0'));
    }
    at += entry.header_bytes + entry.bytes;
  }
  return texts;
}

}  // namespace pointtree::ptxsim

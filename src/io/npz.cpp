// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <string_view>

#include "byte_reader.hpp"
#include "io/compression.hpp"
#include "io/npy.hpp"

namespace pointtree::io {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEntrySignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kMaxComment = 65535;
constexpr std::size_t kDeflateMaxRatio = 1032;  // zlib's own bound

struct Entry {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint32_t packed_size = 0;
  std::uint32_t size = 0;
  std::uint32_t offset = 0;
};

ByteView tail(ByteView file, std::size_t from) {
  if (from > file.size) throw ReadError("zip: an offset lies behind the end of the file");
  return {file.data + from, file.size - from};
}

/// Where the archive's directory begins and how many entries it has.
std::pair<std::size_t, std::size_t> find_directory(ByteView file) {
  if (file.size < kEndBytes) throw ReadError("zip: the file is too short for an archive");
  const std::size_t last = file.size - kEndBytes;
  const std::size_t first = last > kMaxComment ? last - kMaxComment : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    ByteReader reader(tail(file, at), "zip");
    if (reader.u32() != kEndSignature) continue;
    reader.bytes(6);  // disk numbers, entries on this disk
    const std::size_t entries = reader.u16();
    reader.bytes(4);  // size of the directory
    return {reader.u32(), entries};
  }
  throw ReadError("zip: no end-of-directory record, so this is no archive or only part of one");
}

Entry read_entry(ByteReader& reader) {
  if (reader.u32() != kEntrySignature) throw ReadError("zip: a directory entry should follow");
  Entry entry;
  reader.bytes(4);  // versions
  entry.flags = reader.u16();
  entry.method = reader.u16();
  reader.bytes(4);  // time and date
  entry.crc = reader.u32();
  entry.packed_size = reader.u32();
  entry.size = reader.u32();
  const std::size_t name = reader.u16();
  const std::size_t extra = reader.u16();
  const std::size_t comment = reader.u16();
  reader.bytes(8);  // disk, attributes
  entry.offset = reader.u32();
  entry.name = std::string(reader.bytes(name).text());
  reader.bytes(extra + comment);
  return entry;
}

ByteView packed_bytes(ByteView file, const Entry& entry) {
  ByteReader local(tail(file, entry.offset), "zip");
  if (local.u32() != kLocalSignature)
    throw ReadError("zip: member '" + entry.name + "' is not where it should be");
  local.bytes(22);
  const std::size_t name = local.u16();
  const std::size_t extra = local.u16();
  local.bytes(name + extra);
  return local.bytes(entry.packed_size);
}

Bytes inflate_bytes(ByteView packed, std::size_t size, const std::string& name) {
  if (size / kDeflateMaxRatio > packed.size) {
    throw ReadError("zip: member '" + name + "' can't hold the promised " + std::to_string(size) +
                    " bytes");
  }
  Bytes out(size);
  std::uint8_t none = 0;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw ReadError("zip: zlib can't start");
  stream.next_in = const_cast<Bytef*>(packed.data);
  stream.avail_in = static_cast<uInt>(packed.size);
  stream.next_out = size == 0 ? &none : out.data();
  stream.avail_out = static_cast<uInt>(size);
  const int outcome = inflate(&stream, Z_FINISH);
  const bool whole = outcome == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole)
    throw ReadError("zip: member '" + name + "' is damaged or of another size than promised");
  return out;
}

Bytes unpack(ByteView file, const Entry& entry) {
  const ByteView packed = packed_bytes(file, entry);
  Bytes out;
  if (entry.method == 0 && entry.packed_size == entry.size) {
    out.assign(packed.begin(), packed.end());
  } else if (entry.method == 8) {
    out = inflate_bytes(packed, entry.size, entry.name);
  } else {
    throw ReadError("zip: member '" + entry.name + "' should be stored or deflated, found method " +
                    std::to_string(entry.method));
  }
  if (crc32_z(0, out.data(), out.size()) != entry.crc) {
    throw ReadError("zip: member '" + entry.name + "' fails its CRC");
  }
  return out;
}

/// Unpacks the members of a ZIP archive in memory, stored or deflated, and checks their CRC-32;
/// names are keys, never paths. Throws ReadError where the archive is damaged or a member or their
/// sum is beyond the ceiling.
std::map<std::string, Bytes> unzip(ByteView file, const ReadLimits& limits) {
  const auto [start, count] = find_directory(file);
  ByteReader reader(tail(file, start), "zip");
  std::map<std::string, Bytes> members;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Entry entry = read_entry(reader);
    if ((entry.flags & 1U) != 0) throw ReadError("zip: member '" + entry.name + "' is encrypted");
    if (entry.size == UINT32_MAX || entry.packed_size == UINT32_MAX) {
      throw ReadError("zip: member '" + entry.name + "' of 4 GiB or more");
    }
    total += entry.size;
    if (total > limits.max_unpacked_bytes) {
      throw ReadError("zip: members unpack to more than the ceiling of " +
                      std::to_string(limits.max_unpacked_bytes) + " bytes");
    }
    if (!members.emplace(entry.name, unpack(file, entry)).second) {
      throw ReadError("zip: member '" + entry.name + "' is there twice");
    }
  }
  return members;
}

bool is_cloud(const NpyArray& array) { return array.shape.size() == 2 && array.shape[1] >= 3; }

const NpyArray* first_of(const NpzArrays& arrays, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = arrays.find(name);
    if (found != arrays.end()) return &found->second;
  }
  return nullptr;
}

const NpyArray& points_of(const NpzArrays& arrays) {
  if (const NpyArray* named = first_of(arrays, {"points", "xyz", "data", "orig"})) return *named;
  const NpyArray* only = nullptr;
  for (const auto& [name, array] : arrays) {
    if (!is_cloud(array)) continue;
    if (only != nullptr)
      throw ReadError("npz: several arrays could be the cloud; name one of them 'points'");
    only = &array;
  }
  if (only == nullptr) throw ReadError("npz: no array of shape [n, 3] or [n, 4]");
  return *only;
}

std::vector<std::int32_t> labels_of(const NpyArray& array) {
  std::vector<std::int32_t> labels(array.count());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double value = array[i];
    if (!(value >= INT32_MIN && value <= INT32_MAX)) {
      throw ReadError("npz: label of point " + std::to_string(i) + " should be a 32-bit integer");
    }
    labels[i] = static_cast<std::int32_t>(value);
  }
  return labels;
}

}  // namespace

NpzArrays parse_npz(ByteView file, const ReadLimits& limits) {
  NpzArrays arrays;
  for (const auto& [name, bytes] : unzip(file, limits)) {
    constexpr std::string_view kSuffix = ".npy";
    const bool is_npy = name.size() > kSuffix.size() &&
                        name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
    if (!is_npy) continue;
    arrays.emplace(name.substr(0, name.size() - kSuffix.size()), parse_npy(bytes, limits));
  }
  return arrays;
}

Cloud cloud_from(const NpzArrays& arrays, const ReadLimits& limits) {
  const NpyArray& points = points_of(arrays);
  Cloud cloud = cloud_from(points, limits);
  const NpyArray* labels = first_of(arrays, {"label", "labels", "ans"});
  if (labels != nullptr && labels->count() == points.shape[0]) cloud.labels = labels_of(*labels);
  return cloud;
}

}  // namespace pointtree::io

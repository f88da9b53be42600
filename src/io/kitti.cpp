// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "byte_reader.hpp"
#include "file_bytes.hpp"
#include "io/cloud_formats.hpp"
#include "point_table.hpp"

namespace pointtree::io {

Cloud parse_kitti(ByteView file, const ReadLimits& limits) {
  constexpr std::size_t kPointBytes = 16;
  if (file.size % kPointBytes != 0) {
    throw ReadError("KITTI scan: whole points of 16 bytes expected, found " +
                    std::to_string(file.size) + " bytes");
  }
  PointTable table;
  table.bytes = file;
  table.count = file.size / kPointBytes;
  if (table.count > limits.max_points) {
    throw ReadError("KITTI scan: " + std::to_string(table.count) +
                    " points are more than the ceiling of " + std::to_string(limits.max_points));
  }
  for (const char* name : {"x", "y", "z", "intensity"}) {
    table.columns.push_back({name, ScalarType::float32, 4 * table.columns.size(), kPointBytes});
  }
  return cloud_from(table);
}

std::vector<std::int32_t> read_kitti_labels(const std::filesystem::path& path,
                                            const ReadLimits& limits) {
  const Bytes bytes = read_file(path, limits.max_file_bytes);
  if (bytes.size() % 4 != 0) {
    throw ReadError("'" + path.string() + "': whole labels of 4 bytes expected, found " +
                    std::to_string(bytes.size()) + " bytes");
  }
  ByteReader reader(bytes, "KITTI labels");
  std::vector<std::int32_t> labels(bytes.size() / 4);
  for (auto& label : labels) label = static_cast<std::int32_t>(reader.u32() & 0xFFFFU);
  return labels;
}

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "pointtree/io/scalar_type.hpp"

namespace pointtree::io {

/// One named value of every point: value i lies at bytes[offset + i · stride].
struct Column {
  std::string name;
  ScalarType type = ScalarType::float32;
  std::size_t offset = 0;
  std::size_t stride = 0;
};

/// Points as a file lays them out, whatever the order, types and padding of their values.
struct PointTable {
  std::vector<Column> columns;
  ByteView bytes;
  std::size_t count = 0;
  bool big_endian = false;
};

/// Takes coordinates and the attributes it knows by name (intensity, label, rgb or red/green/blue)
/// from a table. Throws ReadError where x, y or z is missing, a column leaves the bytes or a label
/// is no 32-bit integer.
Cloud cloud_from(const PointTable& table);

/// A cloud as interleaved little-endian points: x y z, then intensity, label (int32) and rgb
/// (uint32) where it has them.
struct PackedPoints {
  std::vector<Column> columns;
  Bytes bytes;
  std::size_t width = 0;
  std::size_t height = 1;
};

/// Packs a cloud for a writer; throws std::invalid_argument where an attribute has not one entry
/// per point.
PackedPoints pack_points(const Cloud& cloud);

}  // namespace pointtree::io

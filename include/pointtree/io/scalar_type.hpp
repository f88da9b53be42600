// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointtree::io {

/// The number types that cloud files and messages hold, numbered as in sensor_msgs/PointField; the
/// last two are in files only.
enum class ScalarType : std::uint8_t {
  int8 = 1,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  float32,
  float64,
  int64,
  uint64,
};

/// Bytes of one number; 0 for what is no ScalarType.
constexpr std::size_t size_of(ScalarType type) {
  switch (type) {
    case ScalarType::int8:
    case ScalarType::uint8:
      return 1;
    case ScalarType::int16:
    case ScalarType::uint16:
      return 2;
    case ScalarType::int32:
    case ScalarType::uint32:
    case ScalarType::float32:
      return 4;
    case ScalarType::float64:
    case ScalarType::int64:
    case ScalarType::uint64:
      return 8;
  }
  return 0;
}

/// Reads one number at any alignment; 64-bit integers are rounded to double.
double load_scalar(const std::uint8_t* at, ScalarType type, bool big_endian);

/// Numbers of one type in memory: number i lies at first[i · stride].
struct ScalarColumn {
  const std::uint8_t* first = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  ScalarType type = ScalarType::float32;
  bool big_endian = false;
};

/// Reads a column of numbers as floats to out[0], out[out_stride], …
void load_floats(const ScalarColumn& column, float* out, std::size_t out_stride);

/// Writes one number, little endian; what an integer type can't hold becomes the nearest it can,
/// NaN becomes 0.
void store_scalar(std::uint8_t* at, ScalarType type, double value);

}  // namespace pointtree::io

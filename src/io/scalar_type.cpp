// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/scalar_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace pointtree::io {
namespace {

constexpr bool kBigEndianMachine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

template <typename T>
T load(const std::uint8_t* at, bool big_endian) {
  std::uint8_t raw[sizeof(T)];
  std::memcpy(raw, at, sizeof(T));
  if (big_endian != kBigEndianMachine) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

template <typename T, bool big_endian>
void load_column(const ScalarColumn& column, float* out, std::size_t out_stride) {
  const std::uint8_t* at = column.first;
  for (std::size_t i = 0; i < column.count; ++i, at += column.stride, out += out_stride) {
    *out = static_cast<float>(load<T>(at, big_endian));
  }
}

template <typename T>
void store(std::uint8_t* at, double value) {
  T stored;
  if constexpr (std::is_floating_point_v<T>) {
    stored = static_cast<T>(value);
  } else {
    // The largest 64-bit integers are no doubles, so the upper bound is compared with ">=".
    if (std::isnan(value)) {
      stored = 0;
    } else if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
      stored = std::numeric_limits<T>::max();
    } else if (value <= static_cast<double>(std::numeric_limits<T>::lowest())) {
      stored = std::numeric_limits<T>::lowest();
    } else {
      stored = static_cast<T>(value);
    }
  }
  std::memcpy(at, &stored, sizeof(T));
}

/// Calls the action with a number of the C++ type that the value names.
template <typename Action>
auto with_type(ScalarType type, Action action) {
  switch (type) {
    case ScalarType::int8:
      return action(std::int8_t{});
    case ScalarType::uint8:
      return action(std::uint8_t{});
    case ScalarType::int16:
      return action(std::int16_t{});
    case ScalarType::uint16:
      return action(std::uint16_t{});
    case ScalarType::int32:
      return action(std::int32_t{});
    case ScalarType::uint32:
      return action(std::uint32_t{});
    case ScalarType::int64:
      return action(std::int64_t{});
    case ScalarType::uint64:
      return action(std::uint64_t{});
    case ScalarType::float32:
      return action(float{});
    default:
      return action(double{});
  }
}

}  // namespace

double load_scalar(const std::uint8_t* at, ScalarType type, bool big_endian) {
  return with_type(type, [&](auto example) {
    return static_cast<double>(load<decltype(example)>(at, big_endian));
  });
}

void load_floats(const ScalarColumn& column, float* out, std::size_t out_stride) {
  with_type(column.type, [&](auto example) {
    using T = decltype(example);
    if (column.big_endian) {
      load_column<T, true>(column, out, out_stride);
    } else {
      load_column<T, false>(column, out, out_stride);
    }
  });
}

void store_scalar(std::uint8_t* at, ScalarType type, double value) {
  with_type(type, [&](auto example) { store<decltype(example)>(at, value); });
}

}  // namespace pointtree::io

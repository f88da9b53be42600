#include "pointtree/data/scalar_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace pointtree::data {
namespace {

template <typename T>
T load(const std::uint8_t* at, bool big_endian) {
  std::uint8_t raw[sizeof(T)];
  std::memcpy(raw, at, sizeof(T));
  if (big_endian) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
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

}  // namespace

double load_scalar(const std::uint8_t* at, ScalarType type, bool big_endian) {
  switch (type) {
    case ScalarType::int8:
      return load<std::int8_t>(at, big_endian);
    case ScalarType::uint8:
      return load<std::uint8_t>(at, big_endian);
    case ScalarType::int16:
      return load<std::int16_t>(at, big_endian);
    case ScalarType::uint16:
      return load<std::uint16_t>(at, big_endian);
    case ScalarType::int32:
      return load<std::int32_t>(at, big_endian);
    case ScalarType::uint32:
      return load<std::uint32_t>(at, big_endian);
    case ScalarType::int64:
      return static_cast<double>(load<std::int64_t>(at, big_endian));
    case ScalarType::uint64:
      return static_cast<double>(load<std::uint64_t>(at, big_endian));
    case ScalarType::float32:
      return load<float>(at, big_endian);
    case ScalarType::float64:
      return load<double>(at, big_endian);
  }
  return 0.0;
}

void store_scalar(std::uint8_t* at, ScalarType type, double value) {
  switch (type) {
    case ScalarType::int8:
      return store<std::int8_t>(at, value);
    case ScalarType::uint8:
      return store<std::uint8_t>(at, value);
    case ScalarType::int16:
      return store<std::int16_t>(at, value);
    case ScalarType::uint16:
      return store<std::uint16_t>(at, value);
    case ScalarType::int32:
      return store<std::int32_t>(at, value);
    case ScalarType::uint32:
      return store<std::uint32_t>(at, value);
    case ScalarType::int64:
      return store<std::int64_t>(at, value);
    case ScalarType::uint64:
      return store<std::uint64_t>(at, value);
    case ScalarType::float32:
      return store<float>(at, value);
    case ScalarType::float64:
      return store<double>(at, value);
  }
}

}  // namespace pointtree::data

// SPDX-License-Identifier: Apache-2.0

// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels.hpp"

namespace pointtree::inference::engine {
namespace {

// Widens the range; its mean becomes a sum.
inline void widen(Range& range, const float* x, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k < last; ++k) {
    range.low = x[k] < range.low ? x[k] : range.low;
    range.high = x[k] > range.high ? x[k] : range.high;
    range.mean += x[k];
  }
}

inline float steps_per_unit(const Range& range) {
  const float span = range.high - range.low;
  return span > 0.0F ? kInt8ActivationMax / span : 0.0F;
}

// Rounds to nearest, ties to even, as vector instructions do.
inline void quantize(const Range& range, const float* x, std::size_t first, std::size_t last,
                     std::uint8_t* q) {
  const float factor = steps_per_unit(range);
  for (std::size_t k = first; k < last; ++k) {
    q[k] = static_cast<std::uint8_t>(std::nearbyint((x[k] - range.low) * factor));
  }
}

[[maybe_unused]] Range range_of_portable(const float* x, std::size_t width) {
  Range range{x[0], x[0], 0.0F};
  widen(range, x, 0, width);
  range.mean /= static_cast<float>(width);
  return range;
}

[[maybe_unused]] void quantize_row_portable(const float* x, std::size_t width, std::size_t depth,
                                            const Range& range, std::uint8_t* q) {
  quantize(range, x, 0, width, q);
  std::memset(q + width, 0, depth - width);
}

}  // namespace
}  // namespace pointtree::inference::engine

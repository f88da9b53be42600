// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "panel_product.hpp"

namespace pointtree::model::engine {
namespace {

struct Range {
  float low;
  float high;
};

inline void widen(Range& range, const float* x, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k < last; ++k) {
    range.low = x[k] < range.low ? x[k] : range.low;
    range.high = x[k] > range.high ? x[k] : range.high;
  }
}

inline float steps_per_unit(const Range& range) {
  const float span = range.high - range.low;
  return span > 0.0F ? kInt8ActivationMax / span : 0.0F;
}

// Values are never below the range, so adding one half and truncating rounds to nearest.
inline void quantize(const Range& range, const float* x, std::size_t first, std::size_t last,
                     std::uint8_t* q) {
  const float factor = steps_per_unit(range);
  for (std::size_t k = first; k < last; ++k) {
    q[k] = static_cast<std::uint8_t>((x[k] - range.low) * factor + 0.5F);
  }
}

// One row to seven bits: x ≈ offset + scale · q, the row's own minimum and maximum being exact.
// Steps from `width` up to `depth` are zero.
[[maybe_unused]] void quantize_row_portable(const float* x, std::size_t width, std::size_t depth,
                                            std::uint8_t* q, float* scale, float* offset) {
  Range range{x[0], x[0]};
  widen(range, x, 1, width);
  quantize(range, x, 0, width, q);
  std::memset(q + width, 0, depth - width);
  *scale = (range.high - range.low) / kInt8ActivationMax;
  *offset = range.low;
}

}  // namespace
}  // namespace pointtree::model::engine

#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels.hpp"
#include "packed_linear.hpp"

namespace pointtree::model::engine {

/// Neighbouring leaves that are represented by the first of them.
inline constexpr std::size_t kCoarseGroup = 4;

/// Most rows that one call may search.
inline constexpr std::size_t kCoarseRows = 256;

/// Deepest map that it may be asked for.
inline constexpr std::size_t kCoarseDepth = 512;

/// Rows in 7-bit steps, [count, depth]: x ≈ offset + scale · q.
struct QuantizedRows {
  const std::uint8_t* steps = nullptr;
  const float* scale = nullptr;
  const float* offset = nullptr;
  std::size_t count = 0;
};

/// out[c] = max(out[c], maximum over the rows of output c of an int8 map), sought coarse to fine:
/// every fourth row is multiplied with all weights, and then, for each output on its own, the
/// other rows of the best group. Rows are neighbours in space, so that what lies in another group
/// is hardly larger; the result is never above the true maximum. A quarter of the products.
void coarse_max(const PackedLinear& map, const QuantizedRows& rows, const Kernels& kernels,
                float* out);

}  // namespace pointtree::model::engine

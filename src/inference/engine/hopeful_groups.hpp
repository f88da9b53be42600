// Included by one source file per instruction set, so everything here has internal linkage.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "lanes.hpp"

namespace pointtree::inference::engine {
namespace {

// One bit per column whose value is above that of `best`.
[[maybe_unused]] inline std::uint32_t hopeful_columns_portable(const Row& values, const Row& best) {
  std::uint32_t bits = 0;
  for (std::size_t c = 0; c < kPanelWidth; ++c) {
    const std::size_t part = c / kLanes;
    bits |= (values.part[part][c % kLanes] > best.part[part][c % kLanes] ? 1U : 0U) << c;
  }
  return bits;
}

#if defined(__AVX512F__)
inline std::uint32_t hopeful_columns_avx512(const Row& values, const Row& best) {
  return _mm512_cmp_ps_mask(values.part[0], best.part[0], _CMP_GT_OQ);
}
#elif defined(__AVX2__)
inline std::uint32_t hopeful_columns_avx2(const Row& values, const Row& best) {
  const auto above = [](Lanes x, Lanes y) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_GT_OQ)));
  };
  return above(values.part[0], best.part[0]) | above(values.part[1], best.part[1]) << 8;
}
#endif

template <std::uint32_t (*kHopefulColumns)(const Row& values, const Row& best)>
std::size_t list_hopeful(const float* values, std::size_t groups, const float* radii,
                         const float* steepness, float* best, std::uint32_t* list) {
  Row largest = load_row(values, kPanelWidth);
  for (std::size_t g = 1; g < groups; ++g) {
    largest = maximum(largest, load_row(values + g * kPanelWidth, kPanelWidth));
  }
  store_row(best, largest, kPanelWidth);
  const Row slopes = load_row(steepness, kPanelWidth);
  std::size_t count = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    Row bound = load_row(values + g * kPanelWidth, kPanelWidth);
    add_scaled(bound, radii[g], slopes);
    const std::uint32_t columns = kHopefulColumns(bound, largest);
    list[count] = static_cast<std::uint32_t>(g) << 16 | columns;
    count += columns != 0 ? 1 : 0;
  }
  return count;
}

}  // namespace
}  // namespace pointtree::inference::engine

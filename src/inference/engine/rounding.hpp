// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pointtree::inference::engine {

/// How many parts of size `by` cover `value`.
inline constexpr std::size_t divide_up(std::size_t value, std::size_t by) {
  return (value + by - 1) / by;
}

/// The smallest multiple of `step` that is not below `value`.
inline constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return divide_up(value, step) * step;
}

}  // namespace pointtree::inference::engine

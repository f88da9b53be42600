// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "pointtree/geometry/random.hpp"

namespace pointtree::geometry {

/// A seed for the thing that the numbers name, for example (run seed, epoch, index of the cloud):
/// near numbers give unrelated seeds.
std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers);

/// A number for a name, to be mixed into a seed.
std::uint64_t hash_name(std::string_view name);

/// True with this probability.
inline bool chance(geometry::Random& random, double probability) {
  return random.uniform() < probability;
}

/// Shuffles in place (Fisher–Yates).
template <typename T>
void shuffle(std::vector<T>& values, geometry::Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace pointtree::geometry

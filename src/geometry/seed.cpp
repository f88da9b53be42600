// SPDX-License-Identifier: Apache-2.0
#include "geometry/seed.hpp"

namespace pointtree::geometry {
namespace {

// The finaliser of SplitMix64: a bijection whose output bits all depend on all input bits.
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = 0;
  for (const std::uint64_t number : numbers) hash = scramble(hash + kGolden + scramble(number));
  return hash;
}

std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = name.size();
  for (const char c : name) hash = mix_seed({hash, static_cast<unsigned char>(c)});
  return hash;
}

}  // namespace pointtree::geometry

#include "pointtree/data/random_stream.hpp"

#include <cmath>

namespace pointtree::data {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
constexpr double kTwoPi = 6.283185307179586;

// The finaliser of SplitMix64: a bijection whose output bits all depend on all input bits.
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

}  // namespace

std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t hash = 0;
  for (const std::uint64_t number : numbers) hash = scramble(hash + kGolden + scramble(number));
  return hash;
}

RandomStream::RandomStream(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = scramble(seed += kGolden);
}

RandomStream::result_type RandomStream::operator()() {
  const std::uint64_t result = rotate_left(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::size_t RandomStream::below(std::size_t count) {
  // Draws in the last, incomplete block of `count` values would favour small results.
  const std::uint64_t limit = max() - max() % count;
  std::uint64_t draw = (*this)();
  while (draw >= limit) draw = (*this)();
  return static_cast<std::size_t>(draw % count);
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(kTwoPi * uniform());
}

}  // namespace pointtree::data

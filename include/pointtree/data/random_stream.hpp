#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pointtree::data {

/// A seed for the thing that the numbers name, for example (run seed, epoch, index of the cloud).
std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers);

/// A small random generator (xoshiro256++) with distributions of its own, so that a seed gives the
/// same draws with every standard library. Satisfies UniformRandomBitGenerator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit RandomStream(std::uint64_t seed);
  RandomStream(std::initializer_list<std::uint64_t> numbers) : RandomStream(mix_seed(numbers)) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in 0…count−1; count must not be 0.
  std::size_t below(std::size_t count);
  /// True with this probability.
  bool chance(double probability) { return uniform() < probability; }
  /// Standard normal.
  double normal();

  /// Shuffles in place (Fisher–Yates).
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace pointtree::data

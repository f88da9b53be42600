// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>

namespace pointtree::io {

/// Outside input that does not hold what it promises; the text names the input, the rule and what
/// was found.
class ReadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Ceilings for what a reader allocates on the word of a file; whatever exceeds them is refused
/// with a ReadError.
struct ReadLimits {
  std::uint64_t max_file_bytes = 4ULL << 30;      ///< a cloud file, which is read as a whole
  std::uint64_t max_points = 100'000'000;         ///< points of one cloud
  std::uint64_t max_unpacked_bytes = 1ULL << 30;  ///< one decompressed array, chunk or message
  std::uint64_t max_open_bytes =
      4ULL << 30;  ///< chunks of a bag held at once because they overlap in time
  std::uint64_t max_bag_bytes =
      256ULL << 30;  ///< a bag file that must be decompressed to disk before it is read
};

}  // namespace pointtree::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block.hpp"

// Sums over the threads of a block, always in the same order.
namespace pointtree::geometry::cuda {

/// Prefix sums: rows of `length` elements each, every element becomes the sum of its row up to and
/// including itself. Needs a second array of the same size and returns the one that holds the
/// result. log2(length) phases.
template <typename T>
POINTTREE_HOST_DEVICE T* inclusive_sums(Block& block, std::uint32_t threads, T* values, T* other,
                                        std::uint32_t rows, std::uint32_t length) {
  for (std::uint32_t step = 1; step < length; step *= 2) {
    block.each_thread([&](std::uint32_t thread) {
      for (std::uint32_t i = thread; i < rows * length; i += threads) {
        T sum = values[i];
        if (i % length >= step) sum += static_cast<T>(values[i - step]);
        other[i] = sum;
      }
    });
    T* finished = other;
    other = values;
    values = finished;
  }
  return values;
}

/// Totals over `threads` (a power of two) of `kSums` numbers each: partial[c · threads + t] is the
/// share of thread t in sum c; afterwards partial[c · threads] is the total.
template <std::uint32_t kSums>
POINTTREE_HOST_DEVICE void add_up(Block& block, std::uint32_t threads, double* partial) {
  for (std::uint32_t half = threads / 2; half > 0; half /= 2) {
    block.each_thread([&](std::uint32_t thread) {
      if (thread >= half) return;
      for (std::uint32_t c = 0; c < kSums; ++c) {
        const std::uint32_t mine = c * threads + thread;
        partial[mine] = partial[mine] + partial[mine + half];
      }
    });
  }
}

}  // namespace pointtree::geometry::cuda

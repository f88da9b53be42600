// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry/host_device.hpp"

// Kernels are phases of a Block. What threads must remember from one phase to the next is kept in
// shared memory. Within a phase no element that one thread writes may be read or written by
// another, `add` apart.
namespace pointtree::geometry::cuda {

/// Most threads of a block.
constexpr std::uint32_t kMostThreads = 512;

/// A block of threads on the device. On the host it only adds up what a kernel asks for in shared
/// memory, so that a launch can reserve it.
class Block {
 public:
  /// Of the block in its grid.
  POINTTREE_HOST_DEVICE std::uint32_t index() const {
#ifdef __CUDA_ARCH__
    return blockIdx.x;
#else
    return 0;
#endif
  }

  /// An uninitialised array that the block's threads share.
  template <typename T>
  POINTTREE_HOST_DEVICE T* shared(std::size_t count) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t begin = used_;
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
#ifdef __CUDA_ARCH__
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<T*>(memory + begin);
#else
    static_cast<void>(begin);
    return nullptr;
#endif
  }

  POINTTREE_HOST_DEVICE std::size_t shared_bytes() const { return used_; }

  /// Runs phase(thread) for every thread, then waits for all.
  template <typename Phase>
  POINTTREE_HOST_DEVICE void each_thread(const Phase& phase) {
    last_phase(phase);
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }

  /// Runs phase(thread) for every thread; nothing that depends on it follows.
  template <typename Phase>
  POINTTREE_HOST_DEVICE void last_phase(const Phase& phase) {
#ifdef __CUDA_ARCH__
    phase(static_cast<std::uint32_t>(threadIdx.x));
#else
    static_cast<void>(phase);
#endif
  }

  /// array[i] += value, whichever threads do so at the same time.
  template <typename T>
  POINTTREE_HOST_DEVICE void add(T* array, std::size_t i, T value) {
#ifdef __CUDA_ARCH__
    atomicAdd(array + i, value);
#else
    static_cast<void>(array + i), static_cast<void>(value);
#endif
  }

 private:
  std::size_t used_ = 0;
};

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry/host_device.hpp"

// Kernels are written once, against a Block: on the device that is DeviceBlock, in the tests an
// emulated block on the CPU that runs threads in random order and watches every access.
//
// A Block has
//   Array<T>            elements in global or shared memory, used as a[i] and a[i] = value
//   index()             of the block in its grid
//   shared<T>(count)    an uninitialised array that the block's threads share
//   each_thread(phase)  runs phase(thread) for every thread, then waits for all
//   add(array, i, v)    array[i] += v, whichever threads do so at the same time
// What threads must remember from one phase to the next is kept in shared memory. Within a phase no
// element that one thread writes may be read or written by another, `add` apart.
namespace pointtree::geometry::cuda {

constexpr std::size_t kSharedAlignment = 16;

/// Most threads of a block; the compiler gives a thread no more registers than so many of them have
/// room for.
constexpr std::uint32_t kMostThreads = 512;

/// A block of threads on the device.
class DeviceBlock {
 public:
  template <typename T>
  using Array = T*;

  POINTTREE_HOST_DEVICE std::uint32_t index() const {
#ifdef __CUDA_ARCH__
    return blockIdx.x;
#else
    return 0;
#endif
  }

  template <typename T>
  POINTTREE_HOST_DEVICE T* shared(std::size_t count) {
#ifdef __CUDA_ARCH__
    extern __shared__ __align__(16) unsigned char memory[];
    T* array = reinterpret_cast<T*>(memory + used_);
    used_ += (count * sizeof(T) + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    return array;
#else
    return nullptr;
#endif
  }

  template <typename Phase>
  POINTTREE_HOST_DEVICE void each_thread(const Phase& phase) {
#ifdef __CUDA_ARCH__
    phase(static_cast<std::uint32_t>(threadIdx.x));
    __syncthreads();
#endif
  }

  template <typename T>
  POINTTREE_HOST_DEVICE void add(T* array, std::size_t i, T value) {
#ifdef __CUDA_ARCH__
    atomicAdd(array + i, value);
#endif
  }

 private:
  std::size_t used_ = 0;
};

/// Adds up what a block asks for in shared memory, so that a launch can reserve it.
class SharedBytes {
 public:
  template <typename T>
  using Array = T*;

  template <typename T>
  POINTTREE_HOST_DEVICE T* shared(std::size_t count) {
    bytes_ += (count * sizeof(T) + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    return nullptr;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

template <typename Block, typename T>
using ArrayOf = typename Block::template Array<T>;

}  // namespace pointtree::geometry::cuda

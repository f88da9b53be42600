// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks the scalar mathematics that the CPU and the CUDA kernels share; empty without CUDA.
#ifdef __CUDACC__
#define POINTTREE_HOST_DEVICE __host__ __device__
#else
#define POINTTREE_HOST_DEVICE
#endif

/// For short functions that must become part of their caller, because callers are compiled for
/// several instruction sets and a shared copy would run on only one of them.
#define POINTTREE_ALWAYS_INLINE inline __attribute__((always_inline))

#pragma once

/// Marks the scalar mathematics that the CPU and the CUDA kernels share; empty without CUDA.
#ifdef __CUDACC__
#define POINTTREE_HOST_DEVICE __host__ __device__
#else
#define POINTTREE_HOST_DEVICE
#endif

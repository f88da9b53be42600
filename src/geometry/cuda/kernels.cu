// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <utility>

#include "cuda/device_kernels.hpp"

namespace pointtree::geometry::cuda {
namespace {

// The compiler gives a thread as many registers as the kernel's blocks have room for.
template <typename Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) run(const Kernel kernel) {
  Block block;
  kernel(block);
}

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(what + std::string(cudaGetErrorString(error)));
}

template <typename Kernel>
void launch(const Kernel& kernel, void* stream) {
  check(cudaGetLastError(), "CUDA failed before a kernel was launched: ");
  run<<<kernel.blocks(), kernel.threads(), kernel.shared_bytes(),
        static_cast<cudaStream_t>(stream)>>>(kernel);
  check(cudaGetLastError(), "CUDA refused a kernel: ");
}

}  // namespace

void run_align(const AlignClouds& kernel, void* stream) { launch(kernel, stream); }

void run_trees(const TreeBatch& batch, const tree::Rules& rules, void* stream) {
  launch(CentreClouds{batch.points, batch.entries, batch.centres, batch.duplicate_squares,
                      batch.ties, batch.finite, batch.clouds, batch.n},
         stream);
  Entry* from = batch.entries;
  Entry* to = batch.spare;
  for (std::uint32_t size = batch.n; size > 2; size /= 2) {
    launch(SplitLevel{from, to, batch.scratch, batch.duplicate_squares, batch.planes, batch.ties,
                      rules, make_level(batch.n, size), batch.clouds},
           stream);
    std::swap(from, to);
  }
  launch(
      SplitPairs{from, batch.planes, batch.leaf_orders, rules.axis_aligned, batch.clouds, batch.n},
      stream);
}

void run_gather(const GatherRows& kernel, void* stream) { launch(kernel, stream); }

void run_features(const WriteFeatures& kernel, void* stream) { launch(kernel, stream); }

void run_patches(const PatchBatch& batch, void* stream) {
  launch(MarkCopies{batch}, stream);
  launch(FindPatches{batch}, stream);
  launch(WritePatches{batch}, stream);
}

}  // namespace pointtree::geometry::cuda

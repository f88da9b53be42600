// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "cuda/device_kernels.hpp"

namespace pointtree::geometry::cuda {
namespace {

template <typename Body>
__global__ void __launch_bounds__(kMostThreads) run(const Body body) {
  DeviceBlock block;
  body(block);
}

/// Puts kernels into a stream.
class DeviceLauncher {
 public:
  using Block = DeviceBlock;

  explicit DeviceLauncher(void* stream) : stream_(static_cast<cudaStream_t>(stream)) {}

  template <typename Body>
  void launch(const Body& body) {
    run<<<body.blocks(), body.threads(), body.shared_bytes(), stream_>>>(body);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      throw std::runtime_error(std::string("CUDA refused a kernel: ") + cudaGetErrorString(error));
    }
  }

 private:
  cudaStream_t stream_;
};

}  // namespace

void run_align(const AlignClouds<DeviceBlock>& kernel, void* stream) {
  DeviceLauncher(stream).launch(kernel);
}

void run_trees(const TreeBatch<DeviceBlock>& batch, const tree::Rules& rules, void* stream) {
  DeviceLauncher launcher(stream);
  build_trees(launcher, batch, rules);
}

void run_gather(const GatherRows<DeviceBlock>& kernel, void* stream) {
  DeviceLauncher(stream).launch(kernel);
}

void run_description(const DescribeClouds<DeviceBlock>& kernel, void* stream) {
  DeviceLauncher(stream).launch(kernel);
}

void run_patches(const PatchBatch<DeviceBlock>& batch, void* stream) {
  DeviceLauncher launcher(stream);
  describe_patches(launcher, batch);
}

}  // namespace pointtree::geometry::cuda

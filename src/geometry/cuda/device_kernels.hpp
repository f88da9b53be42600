// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/align_clouds.hpp"
#include "cuda/build_trees.hpp"
#include "cuda/description_kernel.hpp"
#include "cuda/sampling_kernels.hpp"
#include "cuda/surface_patches_kernel.hpp"

// What kernels.cu offers to files that the host's compiler compiles. All pointers are to device
// memory; a stream is a cudaStream_t. Nothing waits for the device; launches that are refused throw
// std::runtime_error.
namespace pointtree::geometry::cuda {

void run_align(const AlignClouds<DeviceBlock>& kernel, void* stream);
void run_trees(const TreeBatch<DeviceBlock>& batch, const tree::Rules& rules, void* stream);
void run_gather(const GatherRows<DeviceBlock>& kernel, void* stream);
void run_description(const DescribeClouds<DeviceBlock>& kernel, void* stream);
void run_patches(const PatchBatch<DeviceBlock>& batch, void* stream);

}  // namespace pointtree::geometry::cuda

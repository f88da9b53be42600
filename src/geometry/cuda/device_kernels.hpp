// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/align_clouds.hpp"
#include "cuda/features_kernel.hpp"
#include "cuda/sampling_kernels.hpp"
#include "cuda/surface_patches_kernel.hpp"
#include "cuda/tree_kernels.hpp"

// What kernels.cu offers to files that the host's compiler compiles. All pointers are to device
// memory; a stream is a cudaStream_t. Nothing waits for the device; launches that are refused throw
// std::runtime_error.
namespace pointtree::geometry::cuda {

/// A batch of trees in memory; B clouds of n = 2^d >= 2 points.
struct TreeBatch {
  const float* points;        ///< [B, n, 3]
  double* centres;            ///< [B, 3], written, as are the following
  PlaneRecord* planes;        ///< [B, n − 1] in heap order
  std::int32_t* leaf_orders;  ///< [B, n]
  std::int32_t* ties;         ///< [B]
  std::int32_t* finite;       ///< [B]: whether all points are; else the tree means nothing
  Entry* entries;             ///< [B, n], scratch, as are the following
  Entry* spare;               ///< [B, n]
  double* duplicate_squares;  ///< [B]
  SplitScratch scratch;       ///< [B, n]
  std::uint32_t clouds;
  std::uint32_t n;
};

void run_align(const AlignClouds& kernel, void* stream);
/// d + 1 launches, one after the other; the host needs to know nothing of what they find.
void run_trees(const TreeBatch& batch, const tree::Rules& rules, void* stream);
void run_gather(const GatherRows& kernel, void* stream);
void run_features(const WriteFeatures& kernel, void* stream);
void run_patches(const PatchBatch& batch, void* stream);

}  // namespace pointtree::geometry::cuda

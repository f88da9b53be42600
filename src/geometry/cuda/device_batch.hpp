// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "geometry/cuda/pose_record.hpp"
#include "pointtree/geometry/input_features.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

// Poses, trees and samples of batches of clouds on a CUDA device. All pointers are to memory of the
// device, a stream is a cudaStream_t. Calls only put work into the stream and wait for nothing;
// they may be captured in a graph. A batch of more than 2^31 numbers throws std::invalid_argument.
namespace pointtree::geometry::cuda {

/// Most points of a cloud on the device: where all of them lie on one plane across a node's normal,
/// a node compares each with each.
constexpr std::uint32_t kMostDevicePoints = 1U << 16;

/// Of scratch memory, in bytes: from compute capability 10.0 on, four doubles are moved as one.
constexpr std::size_t kScratchAlignment = 32;

/// Sizes of a batch: all clouds have the same number of points.
struct BatchShape {
  std::uint32_t clouds = 0;
  std::uint32_t points = 0;  ///< per cloud
};

/// Where the trees of a batch go; P = points − 1.
struct DeviceTrees {
  double* centres = nullptr;            ///< [clouds, 3]
  double* planes = nullptr;             ///< [clouds, P, 4]: normal and offset, in heap order
  std::int32_t* leaf_orders = nullptr;  ///< [clouds, points]
  std::int32_t* tied_nodes = nullptr;   ///< [clouds]
  std::int32_t* finite = nullptr;       ///< [clouds]: 0 where a tree means nothing
};

/// Bytes of scratch memory that build_trees needs, 76 per point.
std::size_t tree_scratch_bytes(const BatchShape& shape);

/// Builds the trees of float points [clouds, points, 3]: the same, bit for bit, as build_tree
/// gives. Throws std::invalid_argument unless points is 2^d, 2 to 2^16, and `scratch` is
/// aligned; options.threads means nothing here.
void build_trees(const float* points, const BatchShape& shape, const TreeOptions& options,
                 const DeviceTrees& trees, void* scratch, void* stream);

/// Pre-aligns float points [clouds, points, 3] into `aligned` of the same shape. Sums are taken in
/// another order than in pre_align: points differ by at most one unit in the last place or so.
void pre_align(const float* points, const BatchShape& shape, const PreAlignOptions& options,
               float* aligned, PoseRecord* poses, void* stream);

/// Rows to be put into another order.
struct RowGather {
  const float* rows = nullptr;               ///< [total, channels]
  const std::int32_t* first_rows = nullptr;  ///< [clouds]: where each cloud begins
  const std::int32_t* chosen = nullptr;      ///< [clouds, count], within each cloud
  float* gathered = nullptr;                 ///< [clouds, count, width]
  std::uint32_t clouds = 0;
  std::uint32_t count = 0;
  std::uint32_t channels = 0;
  std::uint32_t width = 0;         ///< of a gathered row
  std::uint32_t first_column = 0;  ///< that is written
};

/// Gathers rows: samples out of clouds, or points into leaf order.
void gather_rows(const RowGather& gather, void* stream);

/// Bytes of scratch memory that write_features() needs: 21 per point for patches, else none.
std::size_t features_scratch_bytes(const BatchShape& shape, const InputFeatures& features);

/// Appends what geometry::write_features() writes to leaves [clouds, points, width], whose first
/// three columns are coordinates in leaf order, brought there by `poses`; writes from
/// `first_column` on. Sums are taken in another order than there.
void write_features(float* leaves, const BatchShape& shape, const PoseRecord* poses,
                    const InputFeatures& features, std::uint32_t width, std::uint32_t first_column,
                    void* scratch, void* stream);

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#include "geometry/cuda/device_batch.hpp"

#include <stdexcept>
#include <string>

#include "cuda/device_kernels.hpp"
#include "geometry/write_features.hpp"

namespace pointtree::geometry::cuda {
namespace {

static_assert(kScratchAlignment == alignof(Entry));
static_assert(sizeof(PlaneRecord) == 4 * sizeof(double));

/// Hands out one piece of memory after the other.
class Pieces {
 public:
  explicit Pieces(void* memory) : next_(static_cast<std::byte*>(memory)) {}

  template <typename T>
  T* take(std::size_t count) {
    T* piece = reinterpret_cast<T*>(next_);
    next_ += count * sizeof(T);
    return piece;
  }

 private:
  std::byte* next_;
};

/// Kernels count elements in 32 bits.
void check_size(std::size_t clouds, std::size_t points, std::size_t channels) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  const std::size_t rows = clouds * points;  // of two numbers of 32 bits
  if (rows > kMost || rows * channels > kMost) {
    throw std::invalid_argument("a batch on a CUDA device has up to 2^31 numbers, found " +
                                std::to_string(clouds) + " clouds of " + std::to_string(points) +
                                " points of " + std::to_string(channels) + " channels");
  }
}

void check_trees(const BatchShape& shape) {
  const std::uint32_t n = shape.points;
  check_size(shape.clouds, n, 3);
  if (n < 2 || n > kMostDevicePoints || (n & (n - 1)) != 0) {
    throw std::invalid_argument("a tree on a CUDA device needs 2^d points, 2 to 2^16, found " +
                                std::to_string(n));
  }
}

bool has_surface_patches(const InputFeatures& features) {
  return features.subtree_shapes && features.proportions && features.surface_patches;
}

}  // namespace

std::size_t tree_scratch_bytes(const BatchShape& shape) {
  constexpr std::size_t kPerPoint = 2 * sizeof(Entry) + sizeof(double) + sizeof(std::int32_t);
  const std::size_t points = std::size_t{shape.clouds} * shape.points;
  return points * kPerPoint + shape.clouds * sizeof(double);
}

void build_trees(const float* points, const BatchShape& shape, const TreeOptions& options,
                 const DeviceTrees& trees, void* scratch, void* stream) {
  check_trees(shape);
  if (shape.clouds == 0) return;
  if (reinterpret_cast<std::uintptr_t>(scratch) % kScratchAlignment != 0) {
    throw std::invalid_argument("build_trees: scratch memory must be aligned to " +
                                std::to_string(kScratchAlignment) + " bytes");
  }
  const std::size_t total = std::size_t{shape.clouds} * shape.points;
  Pieces pieces(scratch);
  auto* entries = pieces.take<Entry>(total);
  auto* spare = pieces.take<Entry>(total);
  auto* keys = pieces.take<double>(total);
  auto* duplicate_squares = pieces.take<double>(shape.clouds);
  auto* buckets = pieces.take<std::int32_t>(total);
  tree::Rules rules;
  rules.axis_aligned = options.rule == SplitRule::axis_aligned;
  rules.third_moment_sign = options.sign == SignRule::third_moment;
  run_trees({points,
             trees.centres,
             reinterpret_cast<PlaneRecord*>(trees.planes),
             trees.leaf_orders,
             trees.tied_nodes,
             trees.finite,
             entries,
             spare,
             duplicate_squares,
             {buckets, keys},
             shape.clouds,
             shape.points},
            rules, stream);
}

void pre_align(const float* points, const BatchShape& shape, const PreAlignOptions& options,
               float* aligned, PoseRecord* poses, void* stream) {
  if (shape.clouds == 0 || shape.points == 0) return;
  check_size(shape.clouds, shape.points, 3);
  AlignRules rules;
  if (options.mode == PreAlignMode::metric) {
    throw std::invalid_argument("pre_align: metric poses are not known on CUDA devices");
  }
  rules.mode = options.mode;
  for (int c = 0; c < 3; ++c) rules.canonical_scale[c] = options.canonical_scale[c];
  run_align({points, aligned, poses, rules, shape.clouds, shape.points}, stream);
}

void gather_rows(const RowGather& gather, void* stream) {
  if (gather.clouds == 0 || gather.count == 0 || gather.channels == 0) return;
  check_size(gather.clouds, gather.count, gather.channels);
  run_gather({gather.rows, gather.first_rows, gather.chosen, gather.gathered, gather.clouds,
              gather.count, gather.channels, gather.width, gather.first_column},
             stream);
}

std::size_t features_scratch_bytes(const BatchShape& shape, const InputFeatures& features) {
  if (!has_surface_patches(features)) return 0;
  return std::size_t{shape.clouds} * shape.points *
         (sizeof(detail::SurfacePatch) + sizeof(std::uint8_t));
}

void write_features(float* leaves, const BatchShape& shape, const PoseRecord* poses,
                    const InputFeatures& features, std::uint32_t width, std::uint32_t first_column,
                    void* scratch, void* stream) {
  if (shape.clouds == 0 || shape.points == 0 || features.empty()) return;
  check_size(shape.clouds, shape.points, width);
  const FeatureColumns columns(features, first_column, shape.points);
  run_features({leaves, poses, shape.clouds, shape.points, width, columns, features.whitened,
                features.proportions},
               stream);
  if (!has_surface_patches(features)) return;
  const std::size_t total = std::size_t{shape.clouds} * shape.points;
  Pieces pieces(scratch);
  auto* patches = pieces.take<detail::SurfacePatch>(total);
  auto* copies = pieces.take<std::uint8_t>(total);
  run_patches({leaves, copies, patches, shape.clouds, shape.points, width, columns.patches()},
              stream);
}

}  // namespace pointtree::geometry::cuda

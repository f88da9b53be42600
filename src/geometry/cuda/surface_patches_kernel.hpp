// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/block_sums.hpp"
#include "geometry/detail/patch_fit.hpp"
#include "geometry/write_features.hpp"

// Surface patches on the device. Every point looks at every other, O(n²) for a cloud, but all at
// the same time; distances are the CPU's bit for bit, and so are the neighbours unless two are
// equally far.
namespace pointtree::geometry::cuda {

/// A batch of clouds with the rows for their patches.
struct PatchBatch {
  float* leaves;                  ///< [B, points, width]: x y z in leaf order, then the rest
  std::uint8_t* copies;           ///< [B, points], scratch: whether an earlier row is equal
  detail::SurfacePatch* patches;  ///< [B, points], scratch
  std::uint32_t clouds;
  std::uint32_t points;
  std::uint32_t width;
  std::uint32_t column;  ///< first that is written, in the row of the proportions

  POINTTREE_HOST_DEVICE std::size_t rows() const { return std::size_t{clouds} * points; }

  /// Of the cloud that has this row.
  POINTTREE_HOST_DEVICE std::size_t first_row(std::size_t row) const { return row - row % points; }

  POINTTREE_HOST_DEVICE void place_of(std::size_t row, float place[3]) const {
    for (std::uint32_t c = 0; c < 3; ++c) place[c] = leaves[row * width + c];
  }
};

/// Finds the points that repeat an earlier one: one thread per point.
struct MarkCopies {
  static constexpr std::uint32_t kThreads = 64;  // small blocks spread a single cloud

  PatchBatch batch;

  std::uint32_t blocks() const {
    return static_cast<std::uint32_t>((batch.rows() + kThreads - 1) / kThreads);
  }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 0; }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    block.last_phase([&](std::uint32_t thread) {
      const std::size_t row = std::size_t{block.index()} * kThreads + thread;
      if (row >= batch.rows()) return;
      float place[3], other[3];
      batch.place_of(row, place);
      bool copy = false;
      for (std::size_t i = batch.first_row(row); i < row && !copy; ++i) {
        batch.place_of(i, other);
        copy = other[0] == place[0] && other[1] == place[1] && other[2] == place[2];
      }
      batch.copies[row] = copy ? 1 : 0;
    });
  }
};

/// Finds the patch about every point, without weight where there is none: one thread per point.
struct FindPatches {
  static constexpr std::uint32_t kThreads = MarkCopies::kThreads;

  PatchBatch batch;

  std::uint32_t blocks() const { return MarkCopies{batch}.blocks(); }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return 0; }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    block.last_phase([&](std::uint32_t thread) {
      const std::size_t row = std::size_t{block.index()} * kThreads + thread;
      if (row < batch.rows()) batch.patches[row] = patch_about(row);
    });
  }

 private:
  POINTTREE_HOST_DEVICE detail::SurfacePatch patch_about(std::size_t row) const {
    if (batch.copies[row] != 0) return {};
    detail::NearestNeighbours found;
    float place[3], offset[3];
    batch.place_of(row, place);
    const std::size_t first = batch.first_row(row);
    for (std::size_t i = first; i < first + batch.points; ++i) {
      if (batch.copies[i] != 0) continue;
      batch.place_of(i, offset);
      for (int c = 0; c < 3; ++c) offset[c] -= place[c];
      const float square = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
      if (square > 0.0F && square < found.farthest()) found.add(square, offset);
    }
    return found.patch(detail::symmetric_eigen(found.covariance()));
  }
};

/// Writes the features of a cloud's patches: one block per cloud.
struct WritePatches {
  static constexpr std::uint32_t kThreads = 128;  // as many as have room for their sums

  PatchBatch batch;

  std::uint32_t blocks() const { return batch.clouds; }
  std::uint32_t threads() const { return kThreads; }
  std::size_t shared_bytes() const { return detail::kPatchSums * kThreads * sizeof(double); }

  POINTTREE_HOST_DEVICE void operator()(Block& block) const {
    auto sums = block.shared<double>(detail::kPatchSums * kThreads);
    const std::size_t first = std::size_t{block.index()} * batch.points;
    block.each_thread([&](std::uint32_t thread) {
      double partial[detail::kPatchSums] = {};
      for (std::uint32_t i = thread; i < batch.points; i += kThreads) {
        detail::add_patch(batch.patches[first + i], partial);
      }
      for (std::uint32_t k = 0; k < detail::kPatchSums; ++k) {
        sums[k * kThreads + thread] = partial[k];
      }
    });
    add_up<detail::kPatchSums>(block, kThreads, sums);
    block.last_phase([&](std::uint32_t thread) {
      if (thread != 0) return;
      double totals[detail::kPatchSums];
      for (std::uint32_t k = 0; k < detail::kPatchSums; ++k) totals[k] = sums[k * kThreads];
      const std::size_t row = first + static_cast<std::size_t>(proportions_row(batch.points));
      detail::write_surface_patches(totals, [&](int k, float value) {
        batch.leaves[row * batch.width + batch.column + static_cast<std::uint32_t>(k)] = value;
      });
    });
  }
};

}  // namespace pointtree::geometry::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What fixes the order of arithmetic, and with it every bit of a tree: builders for any processor
// keep to it.
namespace pointtree::geometry::tree {

/// Nodes of this size and below are split by counting ranks.
constexpr std::size_t kLargestRanked = 16;

/// Subtrees of this size are built level by level within the first cache.
constexpr std::size_t kBlock = 1024;

/// Nodes whose directions are sought together, all with as many squarings as the slowest of them
/// needs: two registers of them, so that one's divisions hide the other's.
constexpr std::size_t kGroup = 8;

/// Squarings after which a gap of kTieTolerance between the eigenvalues has surely shown itself:
/// 2^26 · 1e-6 = 67.
constexpr int kMaxSquarings = 26;

/// Part of the trace outside the first eigenvector at which one more squaring reaches rounding
/// error.
constexpr double kResidual = 1e-9;

/// Buckets that a node's projections are counted in to find the median.
constexpr std::size_t kMaxBuckets = 256;

/// Skewness, in deviations cubed, below which a normal keeps the sign it has.
constexpr double kSkewness = 1e-9;

/// Part of the cloud's extent below which points count as one place.
constexpr double kResolution = 0x1.0p-50;

/// Squares of coordinates, summed over 2^30 points, must stay finite.
constexpr double kLargestExtent = 1e140;

}  // namespace pointtree::geometry::tree

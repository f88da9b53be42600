// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointtree::geometry::tree {

/// A point about the cloud's centroid and its place in the input: one register wide. The index is
/// kept as a double (exact up to 2^53) so that a point moves in one piece.
struct alignas(32) Entry {
  double x, y, z, index;
};

/// A plane as the builder writes it; the same four numbers as the public Plane.
struct PlaneRecord {
  double normal[3];
  double offset;
};

/// How nodes choose their normals; mirrors the public options without their headers.
struct Rules {
  bool axis_aligned = false;
  bool third_moment_sign = false;
  double duplicate_square =
      0.0;  ///< mean square deviation at or below which points count as one place
};

/// The part of a tree that one call builds: n = 2^k points and the memory that belongs to them
/// alone.
struct Subtree {
  Entry* points;             ///< n, overwritten
  Entry* spare;              ///< n
  std::int8_t* buckets;      ///< n
  std::int32_t* leaf_order;  ///< n, written
  PlaneRecord* planes;       ///< of the whole tree, in heap order
  std::size_t n;
  std::size_t heap;  ///< this subtree's root, counted from 1: children 2h and 2h + 1
};

/// Half of a subtree whose root has been split.
inline Subtree child(const Subtree& s, std::size_t side) {
  const std::size_t half = s.n / 2;
  const std::size_t first = side * half;
  return {s.spare + first,      s.points + first, s.buckets + first,
          s.leaf_order + first, s.planes,         half,
          2 * s.heap + side};
}

/// Splits the root of the subtree, moving its points to `spare`; returns the number of ties
/// settled.
using SplitRoot = std::int32_t (*)(const Subtree&, const Rules&);

/// Builds a whole subtree; returns the number of ties settled.
using BuildSubtree = std::int32_t (*)(const Subtree&, const Rules&);

/// One implementation of the builder; all give the same trees.
struct Kernel {
  SplitRoot split_root;
  BuildSubtree build_subtree;
};

Kernel generic_kernel();
#ifdef POINTTREE_AVX2_KERNEL
Kernel avx2_kernel();
#endif

}  // namespace pointtree::geometry::tree

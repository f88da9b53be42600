// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "tree/pairs.hpp"

// The last two levels in one go: nodes of four points and their pairs, four nodes side by side.
// Their sums have the order of node_moments.
namespace pointtree::geometry::tree {
namespace {

/// The points of four nodes: point i of each.
struct Quads {
  PointLanes points[4];
};

POINTTREE_ALWAYS_INLINE Quads load_quads(const Entry* entries) {
  Quads quads;
  for (std::size_t i = 0; i < 4; ++i) quads.points[i] = load_points(entries + i, 4);
  return quads;
}

/// The coordinates of a node's four points about their mean, and what the mean lost in rounding.
struct Centred {
  SimdVector d[4], rest;

  POINTTREE_ALWAYS_INLINE Centred(SimdVector a, SimdVector b, SimdVector c, SimdVector e) {
    const SimdVector mean = ((a + c) + (b + e)) * all(0.25);
    d[0] = a - mean;
    d[1] = b - mean;
    d[2] = c - mean;
    d[3] = e - mean;
    // Sums begin at zero, so that none is -0.
    rest = (((all(0.0) + d[0]) + d[2]) + ((all(0.0) + d[1]) + d[3])) * all(0.25);
  }
};

POINTTREE_ALWAYS_INLINE SimdVector moment(const Centred& a, const Centred& b) {
  const SimdVector even = (all(0.0) + a.d[0] * b.d[0]) + a.d[2] * b.d[2];
  const SimdVector odd = (all(0.0) + a.d[1] * b.d[1]) + a.d[3] * b.d[3];
  return (even + odd) - all(4.0) * a.rest * b.rest;
}

POINTTREE_ALWAYS_INLINE void add_covariances(const Quads& quads, std::size_t first,
                                             GroupCovariances& out) {
  const PointLanes* p = quads.points;
  const Centred x(p[0].x, p[1].x, p[2].x, p[3].x);
  const Centred y(p[0].y, p[1].y, p[2].y, p[3].y);
  const Centred z(p[0].z, p[1].z, p[2].z, p[3].z);
  store(out.xx + first, moment(x, x));
  store(out.yy + first, moment(y, y));
  store(out.zz + first, moment(z, z));
  store(out.xy + first, moment(x, y));
  store(out.yz + first, moment(y, z));
  store(out.xz + first, moment(z, x));
}

POINTTREE_ALWAYS_INLINE void exchange(Mask swap, SimdVector& a, SimdVector& b) {
  const SimdVector first = swap ? b : a;
  b = swap ? a : b;
  a = first;
}

/// Brings points and their projections into the order of detail::comes_before.
POINTTREE_ALWAYS_INLINE void order_two(PointLanes& a, SimdVector& a_key, PointLanes& b,
                                       SimdVector& b_key) {
  const Mask swap = (b_key < a_key) | ((b_key == a_key) & (b.index < a.index));
  exchange(swap, a.x, b.x);
  exchange(swap, a.y, b.y);
  exchange(swap, a.z, b.z);
  exchange(swap, a.index, b.index);
  exchange(swap, a_key, b_key);
}

/// Sorts the points along their nodes' normals and writes planes and leaves of both levels.
POINTTREE_ALWAYS_INLINE void finish_quads(Quads& quads, SimdVector wx, SimdVector wy, SimdVector wz,
                                          PlaneRecord* planes, PlaneRecord* pair_planes,
                                          std::int32_t* leaf_order) {
  PointLanes* p = quads.points;
  SimdVector keys[4];
  for (std::size_t i = 0; i < 4; ++i) keys[i] = (wx * p[i].x + wy * p[i].y) + wz * p[i].z;
  constexpr std::size_t kNetwork[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
  for (const auto& pair : kNetwork) {
    order_two(p[pair[0]], keys[pair[0]], p[pair[1]], keys[pair[1]]);
  }
  store_planes({wx, wy, wz, plane_offsets(keys[1], keys[2])}, planes, 1);

  const PairSplit left = split_pair(p[0], p[1], false);
  const PairSplit right = split_pair(p[2], p[3], false);
  store_planes(left.plane, pair_planes, 2);
  store_planes(right.plane, pair_planes + 1, 2);
  SimdVector leaves[4] = {left.first, left.second, right.first, right.second};
  transpose(leaves[0], leaves[1], leaves[2], leaves[3]);
  for (std::size_t k = 0; k < 4; ++k) {
    *reinterpret_cast<LeavesInMemory*>(leaf_order + 4 * k) =
        __builtin_convertvector(leaves[k], SimdVector32);
  }
}

/// Splits a group of kGroup nodes of four points and their pairs; returns whether it could, that is
/// whether no node has a tie to settle. Nothing is written otherwise.
POINTTREE_ALWAYS_INLINE bool split_quads(const Entry* points, double duplicate_square,
                                         PlaneRecord* planes, PlaneRecord* pair_planes,
                                         std::int32_t* leaf_order) {
  Quads first = load_quads(points);
  Quads second = load_quads(points + 16);
  GroupCovariances covariances;
  add_covariances(first, 0, covariances);
  add_covariances(second, 4, covariances);
  const SimdVector least_trace = all(4.0 * duplicate_square);
  const Mask apart = (detail::trace(covariances.lanes(0)) > least_trace) &
                     (detail::trace(covariances.lanes(4)) > least_trace);
  if (any(~apart)) return false;
  GroupDirections w;
  principal_directions(covariances, w);
  long long open = 0;
  for (const long long o : w.open) open |= o;
  if (open != 0) return false;
  finish_quads(first, load(w.x), load(w.y), load(w.z), planes, pair_planes, leaf_order);
  finish_quads(second, load(w.x + 4), load(w.y + 4), load(w.z + 4), planes + 4, pair_planes + 8,
               leaf_order + 16);
  return true;
}

}  // namespace
}  // namespace pointtree::geometry::tree

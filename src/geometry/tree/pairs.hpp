// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "tree/directions.hpp"
#include "tree/split.hpp"

namespace pointtree::geometry::tree {
namespace {

/// Four points side by side.
struct PointLanes {
  SimdVector x, y, z, index;
};

/// Every stride-th of the points.
POINTTREE_ALWAYS_INLINE PointLanes load_points(const Entry* points, std::size_t stride) {
  PointLanes p{load(&points[0].x), load(&points[stride].x), load(&points[2 * stride].x),
               load(&points[3 * stride].x)};
  transpose(p.x, p.y, p.z, p.index);
  return p;
}

/// Four planes side by side.
struct PlaneLanes {
  SimdVector x, y, z, offset;
};

/// Four numbers on the boundary of one.
using PlaneInMemory = double __attribute__((vector_size(32), may_alias, aligned(8)));
using LeavesInMemory = std::int32_t __attribute__((vector_size(16), may_alias, aligned(4)));

/// Writes to every stride-th of the planes.
POINTTREE_ALWAYS_INLINE void store_planes(PlaneLanes p, PlaneRecord* planes, std::size_t stride) {
  transpose(p.x, p.y, p.z, p.offset);
  const SimdVector rows[4] = {p.x, p.y, p.z, p.offset};
  for (std::size_t k = 0; k < 4; ++k) {
    *reinterpret_cast<PlaneInMemory*>(planes[k * stride].normal) = rows[k];
  }
}

/// detail::plane_offset of four nodes.
POINTTREE_ALWAYS_INLINE SimdVector plane_offsets(SimdVector left, SimdVector right) {
  const SimdVector middle = left + all(0.5) * (right - left);
  return middle > left ? middle : right;
}

/// The planes of four nodes of two points each, and their points in order.
struct PairSplit {
  PlaneLanes plane;
  SimdVector first, second;  ///< indices
};

/// The principal direction of two points is the line through them.
POINTTREE_ALWAYS_INLINE PairSplit split_pair(const PointLanes& a, const PointLanes& b,
                                             bool axis_aligned) {
  const SimdVector zero = all(0.0);
  const SimdVector one = all(1.0);
  SimdVector wx = b.x - a.x;
  SimdVector wy = b.y - a.y;
  SimdVector wz = b.z - a.z;
  const SimdVector x_size = wx < zero ? -wx : wx;
  const SimdVector y_size = wy < zero ? -wy : wy;
  const SimdVector z_size = wz < zero ? -wz : wz;
  const Mask x_leads = (x_size >= y_size) & (x_size >= z_size);
  const Mask y_leads = y_size >= z_size;
  if (axis_aligned) {
    wx = x_leads ? one : zero;
    wy = x_leads ? zero : (y_leads ? one : zero);
    wz = x_leads ? zero : (y_leads ? zero : one);
  } else {
    const SimdVector length = square_root((wx * wx + wy * wy) + wz * wz);
    const SimdVector leading = x_leads ? wx : (y_leads ? wy : wz);
    const SimdVector factor = (leading < zero ? -one : one) / length;
    const Mask apart = length > zero;
    wx = apart ? wx * factor : one;  // two points in one place: any direction serves
    wy = apart ? wy * factor : zero;
    wz = apart ? wz * factor : zero;
  }
  const SimdVector a_key = (wx * a.x + wy * a.y) + wz * a.z;
  const SimdVector b_key = (wx * b.x + wy * b.y) + wz * b.z;
  const Mask a_first = (a_key < b_key) | ((a_key == b_key) & (a.index < b.index));
  const SimdVector offset = plane_offsets(a_first ? a_key : b_key, a_first ? b_key : a_key);
  return {{wx, wy, wz, offset}, a_first ? a.index : b.index, a_first ? b.index : a.index};
}

/// Four nodes of two points each.
POINTTREE_ALWAYS_INLINE void split_four_pairs(const Entry* points, bool axis_aligned,
                                              PlaneRecord planes[4], std::int32_t order[8]) {
  const PairSplit split =
      split_pair(load_points(points, 2), load_points(points + 1, 2), axis_aligned);
  store_planes(split.plane, planes, 1);
  for (std::size_t k = 0; k < 4; ++k) {
    order[2 * k] = static_cast<std::int32_t>(split.first[k]);
    order[2 * k + 1] = static_cast<std::int32_t>(split.second[k]);
  }
}

/// The last level: splits every pair of points and writes out the leaves.
inline void split_pairs(const Entry* points, std::size_t n, bool axis_aligned, PlaneRecord* planes,
                        std::int32_t* leaf_order) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    split_four_pairs(points + i, axis_aligned, planes + i / 2, leaf_order + i);
  }
  if (i == n) return;
  Entry padded[8];
  PlaneRecord padded_planes[4];
  std::int32_t padded_order[8];
  for (std::size_t k = 0; k < 8; ++k) padded[k] = points[i + k % (n - i)];
  split_four_pairs(padded, axis_aligned, padded_planes, padded_order);
  std::copy(padded_planes, padded_planes + (n - i) / 2, planes + i / 2);
  std::copy(padded_order, padded_order + (n - i), leaf_order + i);
}

}  // namespace
}  // namespace pointtree::geometry::tree

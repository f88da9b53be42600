// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "tree/directions.hpp"
#include "tree/split.hpp"

namespace pointtree::geometry::tree {
namespace {

/// Four nodes of two points each: the principal direction of two points is the line through them.
POINTTREE_ALWAYS_INLINE void split_four_pairs(const Entry* points, bool axis_aligned,
                                              PlaneRecord planes[4], std::int32_t order[8]) {
  SimdVector ax = load(&points[0].x), ay = load(&points[2].x), az = load(&points[4].x);
  SimdVector bx = load(&points[1].x), by = load(&points[3].x), bz = load(&points[5].x);
  SimdVector ai = load(&points[6].x), bi = load(&points[7].x);
  transpose(ax, ay, az, ai);
  transpose(bx, by, bz, bi);
  const SimdVector zero = all(0.0);
  const SimdVector one = all(1.0);
  SimdVector wx = bx - ax;
  SimdVector wy = by - ay;
  SimdVector wz = bz - az;
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
  const SimdVector a = (wx * ax + wy * ay) + wz * az;
  const SimdVector b = (wx * bx + wy * by) + wz * bz;
  const Mask a_first = (a < b) | ((a == b) & (ai < bi));
  const SimdVector left = a_first ? a : b;
  const SimdVector right = a_first ? b : a;
  const SimdVector middle = left + all(0.5) * (right - left);
  SimdVector offset = middle > left ? middle : right;
  const SimdVector left_index = a_first ? ai : bi;
  const SimdVector right_index = a_first ? bi : ai;
  transpose(wx, wy, wz, offset);
  const SimdVector rows[4] = {wx, wy, wz, offset};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t c = 0; c < 3; ++c) planes[k].normal[c] = rows[k][c];
    planes[k].offset = rows[k][3];
    order[2 * k] = static_cast<std::int32_t>(left_index[k]);
    order[2 * k + 1] = static_cast<std::int32_t>(right_index[k]);
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

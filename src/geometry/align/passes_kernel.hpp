// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "align/passes.hpp"
#include "simd_vector.hpp"

namespace pointtree::geometry::align {
namespace {

using namespace simd;

template <typename Scalar>
POINTTREE_ALWAYS_INLINE SimdVector gather(const Scalar* rows, std::ptrdiff_t stride, int axis) {
  return SimdVector{static_cast<double>(rows[axis]), static_cast<double>(rows[stride + axis]),
                    static_cast<double>(rows[2 * stride + axis]),
                    static_cast<double>(rows[3 * stride + axis])};
}

/// Up to four rows of a cloud, the missing ones put at the centre.
template <typename Scalar>
void pad_rows(const Scalar* rows, std::ptrdiff_t stride, std::size_t count, const double centre[3],
              double out[4][3]) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (int c = 0; c < 3; ++c) {
      out[i][c] = i < count ? static_cast<double>(rows[static_cast<std::ptrdiff_t>(i) * stride + c])
                            : centre[c];
    }
  }
}

POINTTREE_ALWAYS_INLINE void clear(detail::SymmetricOf<SimdVector>& m) {
  m.xx = m.xy = m.xz = m.yy = m.yz = m.zz = all(0.0);
}

POINTTREE_ALWAYS_INLINE detail::SymmetricOf<double> total(
    const detail::SymmetricOf<SimdVector>& m) {
  return {sum(m.xx), sum(m.xy), sum(m.xz), sum(m.yy), sum(m.yz), sum(m.zz)};
}

POINTTREE_ALWAYS_INLINE detail::FourthMomentsOf<double> total(
    const detail::FourthMomentsOf<SimdVector>& m) {
  return {sum(m.xx_xx), sum(m.xx_xy), sum(m.xx_xz), sum(m.xx_yy), sum(m.xx_yz),
          sum(m.xx_zz), sum(m.xy_yy), sum(m.xy_yz), sum(m.xz_yz), sum(m.xz_zz),
          sum(m.yy_yy), sum(m.yy_yz), sum(m.yy_zz), sum(m.yz_zz), sum(m.zz_zz)};
}

template <typename Scalar>
LoadedMoments load_rows(const Scalar* rows, std::ptrdiff_t stride, const double centre[3],
                        const Coordinates& out) {
  const SimdVector centres[3] = {all(centre[0]), all(centre[1]), all(centre[2])};
  SimdVector first[3] = {all(0.0), all(0.0), all(0.0)};
  detail::SymmetricOf<SimdVector> second;
  clear(second);
  const auto add = [&](std::size_t i, SimdVector x, SimdVector y, SimdVector z)
      __attribute__((always_inline)) {
    x -= centres[0];
    y -= centres[1];
    z -= centres[2];
    store(out.axis[0] + i, x);
    store(out.axis[1] + i, y);
    store(out.axis[2] + i, z);
    first[0] += x;
    first[1] += y;
    first[2] += z;
    detail::add_products<SimdVector>(x, y, z, second);
  };
  std::size_t i = 0;
  for (; i + 4 <= out.n; i += 4, rows += 4 * stride) {
    add(i, gather(rows, stride, 0), gather(rows, stride, 1), gather(rows, stride, 2));
  }
  if (i < out.n) {
    double padded[4][3];
    pad_rows(rows, stride, out.n - i, centre, padded);
    add(i, gather(padded[0], 3, 0), gather(padded[0], 3, 1), gather(padded[0], 3, 2));
  }
  return {{sum(first[0]), sum(first[1]), sum(first[2])}, total(second)};
}

LoadedMoments load_float(const float* rows, std::ptrdiff_t stride, const double centre[3],
                         const Coordinates& out) {
  return load_rows(rows, stride, centre, out);
}

LoadedMoments load_double(const double* rows, std::ptrdiff_t stride, const double centre[3],
                          const Coordinates& out) {
  return load_rows(rows, stride, centre, out);
}

/// Σx³ and Σ|x| or Σ‖scaled p‖.
struct AxisSums {
  SimdVector third[3];
  SimdVector magnitude[3];
  SimdVector norm;
};

template <Measure kMeasure>
POINTTREE_ALWAYS_INLINE Sums transform_and_measure(const Coordinates& points,
                                                   const detail::AffineMap<double>& map,
                                                   const double scale[3]) {
  detail::AffineMap<SimdVector> lanes_map;
  SimdVector squares[3];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) lanes_map.linear[r][c] = all(map.linear[r][c]);
    lanes_map.shift[r] = all(map.shift[r]);
    squares[r] = all(scale[r] * scale[r]);
  }
  detail::FourthMomentsOf<SimdVector> fourth{};
  AxisSums sums{};
  for (std::size_t i = 0; i < points.padded; i += 4) {
    SimdVector p[3] = {load(points.axis[0] + i), load(points.axis[1] + i),
                       load(points.axis[2] + i)};
    lanes_map.apply(p[0], p[1], p[2]);
    for (int c = 0; c < 3; ++c) store(points.axis[c] + i, p[c]);
    if (kMeasure == Measure::fourth) {
      detail::add_fourth<SimdVector>(p[0], p[1], p[2], fourth);
      continue;
    }
    const SimdVector square[3] = {p[0] * p[0], p[1] * p[1], p[2] * p[2]};
    for (int c = 0; c < 3; ++c) sums.third[c] += square[c] * p[c];
    if (kMeasure == Measure::third) {
      sums.norm +=
          square_root((squares[0] * square[0] + squares[1] * square[1]) + squares[2] * square[2]);
    } else {
      for (int c = 0; c < 3; ++c) sums.magnitude[c] += p[c] < all(0.0) ? -p[c] : p[c];
    }
  }
  Sums result;
  result.fourth = total(fourth);
  for (int c = 0; c < 3; ++c) {
    result.third[c] = sum(sums.third[c]);
    result.magnitude[c] = sum(sums.magnitude[c]);
  }
  result.norm = sum(sums.norm);
  return result;
}

Sums transform(const Coordinates& points, const detail::AffineMap<double>& map, Measure measure,
               const double scale[3]) {
  switch (measure) {
    case Measure::third:
      return transform_and_measure<Measure::third>(points, map, scale);
    case Measure::fourth:
      return transform_and_measure<Measure::fourth>(points, map, scale);
    case Measure::magnitude:
      break;
  }
  return transform_and_measure<Measure::magnitude>(points, map, scale);
}

void write(const Coordinates& points, const double scale[3], const double shift[3], float* rows) {
  for (std::size_t i = 0; i < points.n; ++i) {
    for (int c = 0; c < 3; ++c) {
      rows[3 * i + c] = static_cast<float>(points.axis[c][i] * scale[c] + shift[c]);
    }
  }
}

constexpr Passes kPasses{load_float, load_double, transform, write};

}  // namespace
}  // namespace pointtree::geometry::align

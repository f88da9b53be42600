// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "geometry/host_device.hpp"
#ifdef __AVX2__
#include <immintrin.h>
#endif

// Four doubles that go through the same operations side by side. Compilers turn them into whatever
// the processor has (two SSE2 halves, one AVX register, NEON pairs); every lane is plain IEEE
// arithmetic, so the results are the same everywhere. Everything here has internal linkage, because
// it is compiled once per instruction set.
namespace pointtree::geometry::simd {
namespace {

using SimdVector = double __attribute__((vector_size(32)));
using Mask = long long __attribute__((vector_size(32)));
using SimdVector32 = std::int32_t __attribute__((vector_size(16)));

/// Whether a SimdVector is one register. Where it is several, code for many of them at once spills.
#ifdef __AVX2__
constexpr bool kOneRegister = true;
#else
constexpr bool kOneRegister = false;
#endif

#ifdef __clang__
#define POINTTREE_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define POINTTREE_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, Mask{i, j, k, l})
#endif

POINTTREE_ALWAYS_INLINE SimdVector all(double value) {
  return SimdVector{value, value, value, value};
}

/// A vector as it lies in memory, on a boundary of their own size.
using SimdVectorInMemory = double __attribute__((vector_size(32), may_alias));
using SimdVector32InMemory = std::int32_t __attribute__((vector_size(16), may_alias));

POINTTREE_ALWAYS_INLINE SimdVector load(const double* p) {
  return *reinterpret_cast<const SimdVectorInMemory*>(p);
}

POINTTREE_ALWAYS_INLINE void store(double* p, SimdVector v) {
  *reinterpret_cast<SimdVectorInMemory*>(p) = v;
}

POINTTREE_ALWAYS_INLINE bool any(Mask m) {
#ifdef __AVX2__
  return _mm256_movemask_pd((__m256d)m) != 0;
#else
  return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}

POINTTREE_ALWAYS_INLINE double sum(SimdVector v) { return (v[0] + v[1]) + (v[2] + v[3]); }

POINTTREE_ALWAYS_INLINE SimdVector square_root(SimdVector v) {
#ifdef __AVX2__
  return _mm256_sqrt_pd(v);  // compilers take the four one by one
#else
  return SimdVector{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

// For comparisons: on AArch64 GCC takes those of four doubles one by one, those of two at once.
#ifdef __aarch64__
inline constexpr std::size_t kRegisterWidth = 2;
using SimdRegister = double __attribute__((vector_size(16)));
using RegisterMask = long long __attribute__((vector_size(16)));
POINTTREE_ALWAYS_INLINE SimdRegister broadcast(double value) { return SimdRegister{value, value}; }
#else
inline constexpr std::size_t kRegisterWidth = 4;
using SimdRegister = SimdVector;
using RegisterMask = Mask;
POINTTREE_ALWAYS_INLINE SimdRegister broadcast(double value) { return all(value); }
#endif

POINTTREE_ALWAYS_INLINE SimdRegister load_register(const double* p) {
  using InMemory = double __attribute__((vector_size(sizeof(SimdRegister)), may_alias));
  return *reinterpret_cast<const InMemory*>(p);
}

/// A running sum. On AArch64 it is two registers: GCC would keep four doubles that live on from one
/// round of a loop to the next in memory.
class SimdSum {
 public:
  SimdSum() = default;  ///< unset, for arrays
#ifdef __aarch64__
  POINTTREE_ALWAYS_INLINE explicit SimdSum(SimdVector v) : low_{v[0], v[1]}, high_{v[2], v[3]} {}
  POINTTREE_ALWAYS_INLINE void operator+=(SimdVector v) {
    low_ += SimdRegister{v[0], v[1]};
    high_ += SimdRegister{v[2], v[3]};
  }
  POINTTREE_ALWAYS_INLINE SimdVector value() const {
    return SimdVector{low_[0], low_[1], high_[0], high_[1]};
  }

 private:
  SimdRegister low_, high_;
#else
  POINTTREE_ALWAYS_INLINE explicit SimdSum(SimdVector v) : value_(v) {}
  POINTTREE_ALWAYS_INLINE void operator+=(SimdVector v) { value_ += v; }
  POINTTREE_ALWAYS_INLINE SimdVector value() const { return value_; }

 private:
  SimdVector value_;
#endif
};

/// Rows to columns: four points to their x, their y, their z and their indices.
POINTTREE_ALWAYS_INLINE void transpose(SimdVector& a, SimdVector& b, SimdVector& c, SimdVector& d) {
  const SimdVector ab_even = POINTTREE_SHUFFLE(a, b, 0, 4, 2, 6);
  const SimdVector ab_odd = POINTTREE_SHUFFLE(a, b, 1, 5, 3, 7);
  const SimdVector cd_even = POINTTREE_SHUFFLE(c, d, 0, 4, 2, 6);
  const SimdVector cd_odd = POINTTREE_SHUFFLE(c, d, 1, 5, 3, 7);
  a = POINTTREE_SHUFFLE(ab_even, cd_even, 0, 1, 4, 5);
  b = POINTTREE_SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5);
  c = POINTTREE_SHUFFLE(ab_even, cd_even, 2, 3, 6, 7);
  d = POINTTREE_SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7);
}

}  // namespace
}  // namespace pointtree::geometry::simd

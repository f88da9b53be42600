#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/host_device.hpp"

// Four doubles that go through the same operations side by side. Compilers turn them into whatever
// the processor has (two SSE2 halves, one AVX register, NEON pairs); every lane is plain IEEE
// arithmetic, so the results are the same everywhere. Everything here has internal linkage, because
// it is compiled once per instruction set.
namespace pointtree::geometry::lanes {
namespace {

using Lanes = double __attribute__((vector_size(32)));
using Mask = long long __attribute__((vector_size(32)));
using Lanes32 = std::int32_t __attribute__((vector_size(16)));

#ifdef __clang__
#define POINTTREE_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define POINTTREE_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, Mask{i, j, k, l})
#endif

POINTTREE_ALWAYS_INLINE Lanes all(double value) { return Lanes{value, value, value, value}; }

/// Lanes as they lie in memory, on a boundary of their own size.
using LanesInMemory = double __attribute__((vector_size(32), may_alias));
using Lanes32InMemory = std::int32_t __attribute__((vector_size(16), may_alias));

POINTTREE_ALWAYS_INLINE Lanes load(const double* p) {
  return *reinterpret_cast<const LanesInMemory*>(p);
}

POINTTREE_ALWAYS_INLINE void store(double* p, Lanes v) { *reinterpret_cast<LanesInMemory*>(p) = v; }

POINTTREE_ALWAYS_INLINE bool any(Mask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }

POINTTREE_ALWAYS_INLINE double sum(Lanes v) { return (v[0] + v[1]) + (v[2] + v[3]); }

POINTTREE_ALWAYS_INLINE Lanes square_root(Lanes v) {
  return Lanes{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}

/// Rows to columns: four points to their x, their y, their z and their indices.
POINTTREE_ALWAYS_INLINE void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab_even = POINTTREE_SHUFFLE(a, b, 0, 4, 2, 6);
  const Lanes ab_odd = POINTTREE_SHUFFLE(a, b, 1, 5, 3, 7);
  const Lanes cd_even = POINTTREE_SHUFFLE(c, d, 0, 4, 2, 6);
  const Lanes cd_odd = POINTTREE_SHUFFLE(c, d, 1, 5, 3, 7);
  a = POINTTREE_SHUFFLE(ab_even, cd_even, 0, 1, 4, 5);
  b = POINTTREE_SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5);
  c = POINTTREE_SHUFFLE(ab_even, cd_even, 2, 3, 6, 7);
  d = POINTTREE_SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7);
}

}  // namespace
}  // namespace pointtree::geometry::lanes

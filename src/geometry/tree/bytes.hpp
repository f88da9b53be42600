// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd_vector.hpp"
#ifdef __x86_64__
#include <immintrin.h>
#endif

// Counting in arrays of 32·k signed bytes that lie on a boundary of 32.
namespace pointtree::geometry::tree {
namespace {

using namespace simd;

/// As many bytes as one register holds: compilers take longer vectors of bytes one by one.
constexpr std::size_t kBytes = kOneRegister ? 32 : 16;
using SimdBytes = std::int8_t __attribute__((vector_size(kBytes), may_alias));
using Words = std::uint64_t __attribute__((vector_size(kBytes), may_alias));

POINTTREE_ALWAYS_INLINE SimdBytes all_bytes(std::int8_t value) { return value - SimdBytes{}; }

POINTTREE_ALWAYS_INLINE SimdBytes load_bytes(const std::int8_t* p) {
  return *reinterpret_cast<const SimdBytes*>(p);
}

/// Stores sixteen numbers that fit a byte.
POINTTREE_ALWAYS_INLINE void store_bytes(std::int8_t* p, const SimdVector32 (&v)[4]) {
#ifdef __x86_64__
  const __m128i first = _mm_packs_epi32((__m128i)v[0], (__m128i)v[1]);
  const __m128i second = _mm_packs_epi32((__m128i)v[2], (__m128i)v[3]);
  _mm_store_si128(reinterpret_cast<__m128i*>(p), _mm_packs_epi16(first, second));
#else
  for (std::size_t i = 0; i < 16; ++i) p[i] = static_cast<std::int8_t>(v[i / 4][i % 4]);
#endif
}

/// One bit for each byte, which is 0 or -1.
POINTTREE_ALWAYS_INLINE std::uint32_t bits_of(SimdBytes mask) {
#if defined(__AVX2__)
  return static_cast<std::uint32_t>(_mm256_movemask_epi8((__m256i)mask));
#elif defined(__x86_64__)
  return static_cast<std::uint32_t>(_mm_movemask_epi8((__m128i)mask));
#else
  const auto words = reinterpret_cast<Words>(mask);
  std::uint32_t bits = 0;
  for (int k = 0; k < 2; ++k) {
    const std::uint64_t eight = ((words[k] & 0x0101010101010101) * 0x0102040810204080) >> 56;
    bits |= static_cast<std::uint32_t>(eight) << (8 * k);
  }
  return bits;
#endif
}

/// Sum of bytes from 0 to 127.
POINTTREE_ALWAYS_INLINE std::size_t sum_bytes(SimdBytes v) {
#if defined(__AVX2__)
  const auto words = (Words)_mm256_sad_epu8((__m256i)v, _mm256_setzero_si256());
  return (words[0] + words[1]) + (words[2] + words[3]);
#elif defined(__x86_64__)
  const auto words = (Words)_mm_sad_epu8((__m128i)v, _mm_setzero_si128());
  return words[0] + words[1];
#else
  constexpr std::uint64_t kEven = 0x00FF00FF00FF00FF;
  const auto words = reinterpret_cast<Words>(v);
  const Words pairs = (words & kEven) + ((words >> 8) & kEven);
  return ((pairs[0] + pairs[1]) * 0x0001000100010001) >> 48;
#endif
}

/// How many bytes `chosen` (-1 where so) chooses.
template <typename Chosen>
POINTTREE_ALWAYS_INLINE std::size_t count_bytes(const std::int8_t* bytes, std::size_t n,
                                                const Chosen& chosen) {
  constexpr std::size_t kMost = 127 * kBytes;  // what a byte can count
  std::size_t count = 0;
  if (kOneRegister && n <= 2 * kBytes) {
    for (std::size_t i = 0; i < n; i += kBytes) {
      count += static_cast<std::size_t>(__builtin_popcount(bits_of(chosen(load_bytes(bytes + i)))));
    }
    return count;
  }
  for (std::size_t begin = 0; begin < n; begin += kMost) {
    const std::size_t end = std::min(n, begin + kMost);
    SimdBytes counts{};
    for (std::size_t i = begin; i < end; i += kBytes) counts -= chosen(load_bytes(bytes + i));
    count += sum_bytes(counts);
  }
  return count;
}

POINTTREE_ALWAYS_INLINE std::size_t count_below(const std::int8_t* bytes, std::size_t n,
                                                std::int8_t limit) {
  const SimdBytes limits = all_bytes(limit);
  return count_bytes(bytes, n, [limits](SimdBytes v) { return v < limits; });
}

POINTTREE_ALWAYS_INLINE std::size_t count_above(const std::int8_t* bytes, std::size_t n,
                                                std::int8_t limit) {
  const SimdBytes limits = all_bytes(limit);
  return count_bytes(bytes, n, [limits](SimdBytes v) { return v > limits; });
}

/// The least byte above `limit`; 127 where there is none.
POINTTREE_ALWAYS_INLINE std::int8_t least_above(const std::int8_t* bytes, std::size_t n,
                                                std::int8_t limit) {
  const SimdBytes limits = all_bytes(limit);
  const SimdBytes none = all_bytes(127);
  SimdBytes least = none;
  for (std::size_t i = 0; i < n; i += kBytes) {
    const SimdBytes v = load_bytes(bytes + i);
    const SimdBytes above = v > limits ? v : none;
    least = above < least ? above : least;
  }
  std::int8_t result = least[0];
  for (std::size_t k = 1; k < kBytes; ++k) result = std::min(result, least[k]);
  return result;
}

}  // namespace
}  // namespace pointtree::geometry::tree

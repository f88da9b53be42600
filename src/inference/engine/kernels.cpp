// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace pointtree::inference::engine {
namespace {

#if defined(__x86_64__)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

// Linux lends tile registers only to processes that ask: 8 KiB more to save per thread.
bool may_use_tiles() {
#if defined(__linux__) && defined(SYS_arch_prctl)
  constexpr long kRequestPermission = 0x1023;
  constexpr long kTileData = 18;
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool has_amx() {
  constexpr unsigned kTileInt8 = 3U << 24;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (d & kTileInt8) == kTileInt8 && may_use_tiles();
}

const Kernels& amx_kernels() {
  static const Kernels kWithTiles = [] {
    Kernels with_tiles = kAvx512Kernels;
    with_tiles.name = "amx";
    with_tiles.multiply_int8 = multiply_int8_with_tiles;
    return with_tiles;
  }();
  return kWithTiles;
}
#elif defined(__aarch64__)
#if defined(__linux__)
bool has_dotprod() { return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }

bool has_bf16() { return has_dotprod() && (::getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0; }
#else
bool has_dotprod() { return false; }

bool has_bf16() { return false; }
#endif

const Kernels& dotprod_kernels() {
  static const Kernels kWithDotprod = [] {
    Kernels with_dotprod = kNeonKernels;
    with_dotprod.name = "dotprod";
    with_dotprod.multiply_int8 = multiply_int8_dotprod;
    return with_dotprod;
  }();
  return kWithDotprod;
}

const Kernels& bf16_kernels() {
  static const Kernels kWithBf16 = [] {
    Kernels with_bf16 = dotprod_kernels();
    with_bf16.name = "bf16";
    with_bf16.multiply_bfloat16 = multiply_bfloat16_bfdot;
    return with_bf16;
  }();
  return kWithBf16;
}
#endif

}  // namespace

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> list;
#if defined(__x86_64__)
  if (has_amx()) list.push_back(&amx_kernels());
  if (has_avx512()) list.push_back(&kAvx512Kernels);
  if (has_avx2()) list.push_back(&kAvx2Kernels);
#elif defined(__aarch64__)
  if (has_bf16()) list.push_back(&bf16_kernels());
  if (has_dotprod()) list.push_back(&dotprod_kernels());
  list.push_back(&kNeonKernels);
#endif
  list.push_back(&kPortableKernels);
  return list;
}

const Kernels& kernels() {
  static const Kernels& chosen = [&]() -> const Kernels& {
    const std::vector<const Kernels*> list = runnable_kernels();
    // To measure what a lesser processor would do.
    const char* wanted = std::getenv("POINTTREE_KERNELS");
    for (const Kernels* kernels : list) {
      if (wanted != nullptr && std::string_view(wanted) == kernels->name) return *kernels;
    }
    return *list.front();
  }();
  return chosen;
}

}  // namespace pointtree::inference::engine

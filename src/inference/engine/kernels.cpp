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
#endif

}  // namespace

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> list;
#if defined(__x86_64__)
  if (has_amx()) list.push_back(&amx_kernels());
  if (has_avx512()) list.push_back(&kAvx512Kernels);
  if (has_avx2()) list.push_back(&kAvx2Kernels);
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

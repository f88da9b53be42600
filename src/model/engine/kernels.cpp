#include "kernels.hpp"

namespace pointtree::model::engine {

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> list;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    list.push_back(&kAvx2Kernels);
  }
#endif
  list.push_back(&kPortableKernels);
  return list;
}

const Kernels& kernels() {
  static const Kernels& fastest = *runnable_kernels().front();
  return fastest;
}

}  // namespace pointtree::model::engine

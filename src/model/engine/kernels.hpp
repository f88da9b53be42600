#pragma once

#include <vector>

#include "panel_product.hpp"

namespace pointtree::model::engine {

/// The arithmetic of one instruction set.
struct Kernels {
  const char* name;
  void (*multiply_float32)(const PanelProduct&);
  void (*multiply_bfloat16)(const PanelProduct&);
  void (*multiply_int8)(const PanelProduct&);
  void (*multiply_compressed_float32)(const PanelProduct&);
  void (*multiply_compressed_bfloat16)(const PanelProduct&);
  /// Dot products of up to four rows, `depth` steps each, with one row of weights; depth is a
  /// multiple of kInt8Group.
  void (*dot_int8)(const std::uint8_t* rows, std::size_t depth, std::size_t count,
                   const std::int8_t* weights, std::int32_t* dots);
  /// Row of `width` floats → `depth` 7-bit steps with x ≈ offset + scale · q.
  void (*quantize_row)(const float* x, std::size_t width, std::size_t depth, std::uint8_t* q,
                       float* scale, float* offset);
};

/// Every implementation that this processor can run, the fastest first.
std::vector<const Kernels*> runnable_kernels();

/// The fastest of them.
const Kernels& kernels();

/// Plain vectors that any processor has.
extern const Kernels kPortableKernels;

#if defined(__x86_64__)
/// AVX2 and FMA: every x86 server and desktop since about 2015.
extern const Kernels kAvx2Kernels;
#endif

}  // namespace pointtree::model::engine

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "panel_product.hpp"

namespace pointtree::inference::engine {

/// Most outputs of a layer that quantize_thin takes.
inline constexpr std::size_t kThinWidth = 4096;

/// The arithmetic of one instruction set.
struct Kernels {
  const char* name;
  void (*multiply_float32)(const PanelProduct&);
  void (*multiply_bfloat16)(const PanelProduct&);
  void (*multiply_int8)(const PanelProduct&);
  /// The range of a row's values.
  Range (*range_of)(const float* x, std::size_t width);
  /// Values of a range to `depth` steps from 0 to 127; those from `width` on are zero.
  void (*quantize_row)(const float* x, std::size_t width, std::size_t depth, const Range& range,
                       std::uint8_t* q);
  /// A thin float32 layer and the quantisation of its results in one go, each row over its own
  /// range, to `depth` steps; `first` holds the rows and the layer's first panel, the other panels
  /// follow it. The width is a multiple of 16 and at most kThinWidth.
  void (*quantize_thin)(const PanelProduct& first, std::size_t width, std::size_t depth,
                        std::uint8_t* q, Range* ranges);
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
/// AVX-512 with its instructions for bytes (VNNI): Ice Lake, Zen 4 and later.
extern const Kernels kAvx512Kernels;
/// The products of int8 in tile registers (AMX), beside AVX-512: Sapphire Rapids and later. The
/// system must have been asked for the registers.
void multiply_int8_with_tiles(const PanelProduct& p);
#elif defined(__aarch64__)
/// NEON: every AArch64 processor.
extern const Kernels kNeonKernels;
/// The products of int8 with the dot-product extension (FEAT_DotProd): Cortex-A55, A76 and later.
void multiply_int8_dotprod(const PanelProduct& p);
/// The products of bfloat16 with its extension (FEAT_BF16): Neoverse V1, Cortex-A510, A710 and
/// later. Activations are rounded to bfloat16 as well.
void multiply_bfloat16_bfdot(const PanelProduct& p);
#endif

}  // namespace pointtree::inference::engine

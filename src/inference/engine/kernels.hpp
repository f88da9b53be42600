#pragma once

#include <vector>

#include "panel_product.hpp"
#include "screening.hpp"

namespace pointtree::inference::engine {

/// Most outputs of a layer that quantize_thin takes.
inline constexpr std::size_t kThinWidth = 4096;

/// The arithmetic of one instruction set.
struct Kernels {
  const char* name;
  /// Whether int8 products are so fast that to look at every row beats a search with PrunedMax.
  bool int8_takes_every_row;
  void (*multiply_float32)(const PanelProduct&);
  void (*multiply_bfloat16)(const PanelProduct&);
  void (*multiply_int8)(const PanelProduct&);
  void (*multiply_compressed_float32)(const PanelProduct&);
  void (*multiply_compressed_bfloat16)(const PanelProduct&);
  /// Dot products of three rows, `depth` steps each, with one row of weights; depth is a multiple
  /// of kInt8Group.
  void (*dot_int8)(const std::uint8_t* rows, std::size_t depth, const std::int8_t* weights,
                   std::int32_t* dots);
  /// For 16 columns of `values`, [groups, 16]: their largest values go to `best`, and every group
  /// that has a column with value + steepness · radius above best is listed: 65,536 times the
  /// group's number plus one bit per such column. Gives the length of the list.
  std::size_t (*list_hopeful)(const float* values, std::size_t groups, const float* radii,
                              const float* steepness, float* best, std::uint32_t* list);
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
  /// For ScreenedMax; null where coarse products are not so much faster that it pays.
  const Screening* screening = nullptr;
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
/// The products of int8 and of bfloat16 in tile registers (AMX), beside AVX-512: Sapphire Rapids
/// and later. The system must have been asked for the registers.
void multiply_int8_with_tiles(const PanelProduct& p);
extern const Screening kScreeningWithTiles;
#endif

}  // namespace pointtree::inference::engine

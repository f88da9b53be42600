// SPDX-License-Identifier: Apache-2.0

// Compiled for AVX-512 with VNNI; nothing here may run before kernels() has asked the processor.
#include "float_kernel.hpp"
#include "int8_kernel_avx512.hpp"
#include "kernels.hpp"
#include "quantize_avx512.hpp"
#include "quantize_thin.hpp"

namespace pointtree::inference::engine {

const Kernels kAvx512Kernels{"avx512",
                             multiply_float<FloatPanel>,
                             multiply_float<BfloatPanel>,
                             multiply_int8_avx512,
                             range_of_avx512,
                             quantize_row_avx512,
                             quantize_thin<quantize_row_avx512>};

}  // namespace pointtree::inference::engine

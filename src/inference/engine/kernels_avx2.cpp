// SPDX-License-Identifier: Apache-2.0

// Compiled with -mavx2 -mfma; nothing here may run before kernels() has asked the processor.
#include "float_kernel.hpp"
#include "int8_kernel_avx2.hpp"
#include "kernels.hpp"
#include "quantize_avx2.hpp"
#include "quantize_thin.hpp"

namespace pointtree::inference::engine {

const Kernels kAvx2Kernels{
    "avx2",        multiply_float<FloatPanel>, multiply_float<BfloatPanel>,     multiply_int8_avx2,
    range_of_avx2, quantize_row_avx2,          quantize_thin<quantize_row_avx2>};

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0
#include "float_kernel.hpp"
#include "int8_kernel_neon.hpp"
#include "kernels.hpp"
#include "quantize_neon.hpp"
#include "quantize_thin.hpp"

namespace pointtree::inference::engine {

const Kernels kNeonKernels{"neon",
                           multiply_float<FloatPanel>,
                           multiply_float<BfloatPanel>,
                           multiply_int8_groups<WideningGroup>,
                           range_of_neon,
                           quantize_row_neon,
                           quantize_thin<quantize_row_neon>};

}  // namespace pointtree::inference::engine

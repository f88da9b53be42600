// SPDX-License-Identifier: Apache-2.0
#include "float_kernel.hpp"
#include "int8_kernel_portable.hpp"
#include "kernels.hpp"
#include "quantize_portable.hpp"
#include "quantize_thin.hpp"

namespace pointtree::inference::engine {

const Kernels kPortableKernels{"portable",
                               multiply_float<FloatPanel>,
                               multiply_float<BfloatPanel>,
                               multiply_int8_portable,
                               range_of_portable,
                               quantize_row_portable,
                               quantize_thin<quantize_row_portable>};

}  // namespace pointtree::inference::engine

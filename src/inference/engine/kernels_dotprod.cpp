// SPDX-License-Identifier: Apache-2.0

// Compiled for the dot-product extension; nothing here may run before kernels() has asked the
// processor.
#include "int8_kernel_dotprod.hpp"
#include "kernels.hpp"

namespace pointtree::inference::engine {

void multiply_int8_dotprod(const PanelProduct& p) { multiply_int8_groups<DotProductGroup>(p); }

}  // namespace pointtree::inference::engine

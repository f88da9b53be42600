// SPDX-License-Identifier: Apache-2.0

// Compiled for the bfloat16 extension; nothing here may run before kernels() has asked the
// processor.
#include "bfloat_kernel_bfdot.hpp"
#include "kernels.hpp"

namespace pointtree::inference::engine {

void multiply_bfloat16_bfdot(const PanelProduct& p) { multiply_bfdot(p); }

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Compiled for AMX; nothing here may run before kernels() has asked the processor.
#include "int8_kernel_amx.hpp"
#include "kernels.hpp"

namespace pointtree::inference::engine {

void multiply_int8_with_tiles(const PanelProduct& p) { multiply_int8_amx(p); }

}  // namespace pointtree::inference::engine

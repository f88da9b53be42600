// Compiled for AMX; nothing here may run before kernels() has asked the processor.
#include "int8_kernel_amx.hpp"
#include "kernels.hpp"
#include "screening_amx.hpp"

namespace pointtree::inference::engine {

void multiply_int8_with_tiles(const PanelProduct& p) { multiply_int8_amx(p); }

const Screening kScreeningWithTiles{subtract_middle_amx, list_hopeful_amx, largest_dot_amx};

}  // namespace pointtree::inference::engine

// SPDX-License-Identifier: Apache-2.0

// Compiled for processors with AVX2, where four doubles are one register; chosen at run time.
#include "align/passes_kernel.hpp"

namespace pointtree::geometry::align {

Passes avx2_passes() { return kPasses; }

}  // namespace pointtree::geometry::align

// SPDX-License-Identifier: Apache-2.0
#include "align/passes_kernel.hpp"

namespace pointtree::geometry::align {

Passes generic_passes() { return kPasses; }

}  // namespace pointtree::geometry::align

// SPDX-License-Identifier: Apache-2.0

// Compiled for processors with AVX2, where four doubles are one register; chosen at run time.
#include "tree/build_kernel.hpp"

namespace pointtree::geometry::tree {

Kernel avx2_kernel() { return {split_root, build_subtree}; }

}  // namespace pointtree::geometry::tree

// SPDX-License-Identifier: Apache-2.0
#include "tree/build_kernel.hpp"

namespace pointtree::geometry::tree {

Kernel generic_kernel() { return {split_root, build_subtree}; }

}  // namespace pointtree::geometry::tree

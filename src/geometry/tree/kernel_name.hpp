// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pointtree::geometry::tree {

/// Which of the builder's kernels this processor runs: "avx2" or "portable".
std::string_view kernel_name();

}  // namespace pointtree::geometry::tree

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::network {

class TensorPreprocessor;

/// What a preprocessor on a CUDA device is asked for.
struct PreprocessorRequest {
  int device = 0;
  geometry::PreAlignMode mode = geometry::PreAlignMode::none;
  geometry::TreeOptions tree;
};

/// What pointtree_cuda exports for training, and under which name.
using MakePreprocessor = TensorPreprocessor* (*)(const PreprocessorRequest&);
inline constexpr const char* kMakePreprocessorSymbol = "pointtree_make_cuda_preprocessor";

}  // namespace pointtree::network

#pragma once

#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::network {

class CloudArranger;

/// What an arranger on a CUDA device is asked for.
struct ArrangerRequest {
  int device = 0;
  geometry::PreAlignMode mode = geometry::PreAlignMode::none;
  geometry::TreeOptions tree;
};

/// What pointtree_cuda exports for training, and under which name.
using MakeArranger = CloudArranger* (*)(const ArrangerRequest&);
inline constexpr const char* kMakeArrangerSymbol = "pointtree_make_cuda_arranger";

}  // namespace pointtree::network

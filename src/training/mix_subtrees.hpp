#pragma once

#include <ATen/core/Tensor.h>

#include "pointtree/geometry/random.hpp"

namespace pointtree::training {

/// Gives every cloud of a batch [B, N, C] in leaf order one subtree of the cloud before it, the
/// first one of the last: a half, a quarter or an eighth of its leaves, the same for all.
/// Returns that share; what a cloud is called should follow it.
double mix_subtrees(at::Tensor& clouds, geometry::Random& random);

}  // namespace pointtree::training

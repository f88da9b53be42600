// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "pointtree/geometry/random.hpp"

namespace pointtree::training {

/// The rows of a batch, each in the place of the one after it; the last row comes first.
at::Tensor of_cloud_before(const at::Tensor& rows);

/// Gives every cloud of a batch [B, N, C] in leaf order one subtree of the cloud before it: a half,
/// a quarter or an eighth of its leaves, the same for all. Returns that share; what a cloud is
/// called should follow it.
double cut_mix(at::Tensor& clouds, geometry::Random& random);

}  // namespace pointtree::training

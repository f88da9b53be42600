// SPDX-License-Identifier: Apache-2.0
#include "cut_mix.hpp"

#include <ATen/TensorOperators.h>

namespace pointtree::training {

at::Tensor of_cloud_before(const at::Tensor& rows) { return rows.roll(1, 0); }

double cut_mix(at::Tensor& clouds, geometry::Random& random) {
  constexpr std::uint64_t kDeepest = 3;
  const std::uint64_t subtrees = std::uint64_t{1} << (1 + random.below(kDeepest));
  const std::int64_t leaves = clouds.size(1) / static_cast<std::int64_t>(subtrees);
  const auto first = static_cast<std::int64_t>(random.below(subtrees)) * leaves;
  const at::Tensor given = of_cloud_before(clouds.narrow(1, first, leaves));
  clouds = clouds.clone();
  clouds.narrow(1, first, leaves).copy_(given);
  return 1.0 / static_cast<double>(subtrees);
}

}  // namespace pointtree::training

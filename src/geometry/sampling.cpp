// SPDX-License-Identifier: Apache-2.0
#include "pointtree/geometry/sampling.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "pointtree/geometry/random.hpp"

namespace pointtree::geometry {
namespace {

using Indices = std::vector<std::int32_t>;

Indices all_indices(std::int32_t n) {
  Indices indices(static_cast<std::size_t>(n));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

/// A uniform subset of the given indices by a partial shuffle, in increasing order.
Indices uniform_subset(Indices indices, std::int32_t count, Random& random) {
  for (std::int32_t i = 0; i < count; ++i) {
    std::swap(indices[i], indices[i + random.below(indices.size() - i)]);
  }
  indices.resize(static_cast<std::size_t>(count));
  std::sort(indices.begin(), indices.end());
  return indices;
}

Indices repeat(std::int32_t n, std::int32_t count, Random& random) {
  const std::int32_t rows = rows_that_hold(n, count);
  const Indices all = all_indices(n);
  Indices indices;
  indices.reserve(static_cast<std::size_t>(count));
  const auto append = [&](const Indices& more, std::int32_t times) {
    for (std::int32_t k = 0; k < times; ++k)
      indices.insert(indices.end(), more.begin(), more.end());
  };
  append(all, count / rows * (rows / n));
  append(uniform_subset(all, rows % n, random), count / rows);
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace

std::int32_t rows_that_hold(std::int32_t n, std::int32_t count) {
  while (count % 2 == 0 && count / 2 >= n) count /= 2;
  return count;
}

Indices resample(const PointsView& points, std::int32_t count, std::uint64_t seed) {
  if (count < 1) {
    throw std::invalid_argument("cannot sample " + std::to_string(count) + " points");
  }
  if (points.rows() < 1) throw std::invalid_argument("cannot sample from an empty cloud");
  if (points.rows() > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("cannot sample from " + std::to_string(points.rows()) +
                                " points: more than 2^31 - 1");
  }
  const auto n = static_cast<std::int32_t>(points.rows());
  Random random(seed);
  if (n == count) return all_indices(n);
  if (n < count) return repeat(n, count, random);
  return uniform_subset(all_indices(n), count, random);
}

}  // namespace pointtree::geometry

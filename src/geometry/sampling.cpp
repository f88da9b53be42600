#include "pointtree/geometry/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

Indices farthest_points(const PointsView& points, std::int32_t count, Random& random) {
  const auto n = static_cast<std::int32_t>(points.rows());
  std::vector<float> x(n), y(n), z(n), distance(n, std::numeric_limits<float>::infinity());
  const Eigen::RowVector3d centre = points.cast<double>().colwise().mean();
  for (std::int32_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(points(i, 0) - centre.x());
    y[i] = static_cast<float>(points(i, 1) - centre.y());
    z[i] = static_cast<float>(points(i, 2) - centre.z());
  }
  Indices chosen;
  chosen.reserve(static_cast<std::size_t>(count));
  auto last = static_cast<std::int32_t>(random.below(n));
  for (;;) {
    chosen.push_back(last);
    distance[last] = -1.0F;  // never again, even among duplicates
    if (static_cast<std::int32_t>(chosen.size()) == count) return chosen;
    for (std::int32_t i = 0; i < n; ++i) {
      const float dx = x[i] - x[last];
      const float dy = y[i] - y[last];
      const float dz = z[i] - z[last];
      distance[i] = std::min(distance[i], dx * dx + dy * dy + dz * dz);
    }
    last = static_cast<std::int32_t>(std::max_element(distance.begin(), distance.end()) -
                                     distance.begin());
  }
}

using Cell = std::array<std::int32_t, 4>;  ///< voxel coordinates and the point's index

/// The cloud's points sorted by the voxel of the given edge length that holds them.
std::vector<Cell> sort_into_voxels(const PointsView& points, double edge) {
  const Eigen::RowVector3d low = points.colwise().minCoeff().cast<double>();
  std::vector<Cell> cells(static_cast<std::size_t>(points.rows()));
  for (std::int32_t i = 0; i < points.rows(); ++i) {
    for (int c = 0; c < 3; ++c) {
      cells[i][c] = static_cast<std::int32_t>((points(i, c) - low[c]) / edge);
    }
    cells[i][3] = i;
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

bool same_voxel(const Cell& a, const Cell& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

std::int32_t count_voxels(const std::vector<Cell>& cells) {
  std::int32_t count = 1;
  for (std::size_t i = 1; i < cells.size(); ++i) count += !same_voxel(cells[i - 1], cells[i]);
  return count;
}

/// One random point of each voxel, at the coarsest of a fixed ladder of grids that has at least
/// `count` voxels.
Indices voxel_subset(const PointsView& points, std::int32_t count, Random& random) {
  constexpr int kHalvings = 24;
  constexpr int kStepsPerHalving = 2;
  const Eigen::RowVector3d low = points.colwise().minCoeff().cast<double>();
  const double extent = (points.colwise().maxCoeff().cast<double>() - low).maxCoeff();
  if (!(extent > 0.0)) {
    return uniform_subset(all_indices(static_cast<std::int32_t>(points.rows())), count, random);
  }
  const auto edge = [&](int step) { return extent * std::exp2(-double(step) / kStepsPerHalving); };
  int coarse = 0;
  int fine = kHalvings * kStepsPerHalving;
  while (coarse < fine) {  // the number of voxels grows with fineness, so bisect the ladder
    const int middle = (coarse + fine) / 2;
    if (count_voxels(sort_into_voxels(points, edge(middle))) >= count) {
      fine = middle;
    } else {
      coarse = middle + 1;
    }
  }
  const std::vector<Cell> cells = sort_into_voxels(points, edge(fine));
  Indices chosen;
  Indices spare;
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && same_voxel(cells[begin], cells[end])) ++end;
    const std::size_t pick = begin + random.below(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      (i == pick ? chosen : spare).push_back(cells[i][3]);
    }
  }
  const auto found = static_cast<std::int32_t>(chosen.size());
  if (found >= count) return uniform_subset(std::move(chosen), count, random);
  // Duplicates leave fewer places than points wanted: fill up with other points of the same places.
  const Indices filling = uniform_subset(std::move(spare), count - found, random);
  chosen.insert(chosen.end(), filling.begin(), filling.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Indices repeat(std::int32_t n, std::int32_t count, RepeatMethod method, Random& random) {
  Indices indices;
  indices.reserve(static_cast<std::size_t>(count));
  if (method == RepeatMethod::even) {
    const Indices all = all_indices(n);
    for (std::int32_t k = 0; k < count / n; ++k) {
      indices.insert(indices.end(), all.begin(), all.end());
    }
    const Indices rest = uniform_subset(all, count % n, random);
    indices.insert(indices.end(), rest.begin(), rest.end());
  } else {
    indices = all_indices(n);
    while (static_cast<std::int32_t>(indices.size()) < count) {
      indices.push_back(static_cast<std::int32_t>(random.below(n)));
    }
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace

Indices resample(const PointsView& points, std::int32_t count, std::uint64_t seed,
                 SamplingMethod method, RepeatMethod repeats) {
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
  if (n < count) return repeat(n, count, repeats, random);
  if (method == SamplingMethod::uniform) return uniform_subset(all_indices(n), count, random);
  if (!points.allFinite()) throw std::invalid_argument("sampling by place needs finite points");
  return method == SamplingMethod::voxel ? voxel_subset(points, count, random)
                                         : farthest_points(points, count, random);
}

}  // namespace pointtree::geometry

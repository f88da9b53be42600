// SPDX-License-Identifier: Apache-2.0
#include "geometry/local_pca_features.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "geometry/target_clones.hpp"
#include "leaf_groups.hpp"
#include "side_by_side_eigen.hpp"

namespace pointtree::geometry {
namespace {

// Leaves that are computed side by side.
constexpr int kGroup = LeafGroup::kSize;
static_assert(kGroup == side_by_side::kMatrices);

using Sums = std::array<float, detail::kNeighbourhoodSums>;

/// Sums over the points of groups around a place. Lane by lane, so that every instruction set adds
/// in the same order.
POINTTREE_CLONES Sums sums_around(const float* place, float reach,
                                  const std::vector<const LeafGroup*>& groups) {
  float lanes[detail::kNeighbourhoodSums][kGroup] = {};
  const float per_reach = 1.0F / reach;
  for (const LeafGroup* group : groups) {
    for (int j = 0; j < kGroup; ++j) {
      const float x = (group->at[0][j] - place[0]) * per_reach;
      const float y = (group->at[1][j] - place[1]) * per_reach;
      const float z = (group->at[2][j] - place[2]) * per_reach;
      detail::add_neighbour(x, y, z, [&](int k, float value) { lanes[k][j] += value; });
    }
  }
  Sums sums{};
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = sum_of(lanes[k]);
  return sums;
}

/// Describes the points at `places`, whose neighbours are all in the groups of `near`, and tells
/// their normals.
void write_group(const PointsView& places, const std::vector<const LeafGroup*>& near, float reach,
                 float count, float* rows, std::ptrdiff_t stride, Eigen::Ref<Points> normals) {
  side_by_side::Matrices covariances;
  std::array<std::array<double, 3>, kGroup> centroids{};
  std::array<float, kGroup> densities{};
  for (int i = 0; i < places.rows(); ++i) {
    const Sums sums = sums_around(places.row(i).data(), reach, near);
    const detail::NeighbourhoodShape shape(sums.data());
    covariances.set(i, shape.covariance);
    std::copy_n(shape.centroid, 3, centroids[i].data());
    densities[i] = detail::neighbourhood_density(sums[0], count, reach);
  }
  side_by_side::diagonalise(covariances);
  for (int i = 0; i < places.rows(); ++i) {
    float* row = rows + i * stride;
    detail::Eigen3 axes = covariances.eigen(i);
    detail::point_outwards(axes, places.row(i).data());
    detail::write_neighbourhood(centroids[i].data(), axes, places.row(i).data(), densities[i],
                                [row](int channel, float value) { row[channel] = value; });
    for (int c = 0; c < 3; ++c) normals(i, c) = static_cast<float>(axes.vectors[2][c]);
  }
}

}  // namespace

Points write_local_pca_features(const PointsView& leaves, float* rows, std::ptrdiff_t stride) {
  Points normals(leaves.rows(), 3);
  if (leaves.rows() == 0) return normals;
  const Points places = places_of(leaves);
  const auto groups = leaf_groups(places);
  const auto count = static_cast<float>(places.rows());
  std::vector<const LeafGroup*> near;
  for (int k = detail::kNeighbourhoods - 1; k >= 0; --k) {  // the normals of the first remain
    const float reach = detail::neighbourhood_reach(k);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      find_groups_near(groups[g], groups, reach, near);
      const auto first = static_cast<Eigen::Index>(g) * kGroup;
      const auto members = std::min<Eigen::Index>(kGroup, places.rows() - first);
      write_group(places.middleRows(first, members), near, reach, count,
                  rows + first * stride + k * detail::kChannelsPerNeighbourhood, stride,
                  normals.middleRows(first, members));
    }
  }
  return normals;
}

}  // namespace pointtree::geometry

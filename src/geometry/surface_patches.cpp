// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_patches.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "leaf_groups.hpp"
#include "side_by_side_eigen.hpp"

namespace pointtree::geometry {
namespace {

constexpr int kGroup = LeafGroup::kSize;

/// Copies left out, the order kept.
Points different_points(const PointsView& points) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](Eigen::Index i) {
    return std::array<float, 3>{points(i, 0), points(i, 1), points(i, 2)};
  };
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return key(a) < key(b); });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](Eigen::Index a, Eigen::Index b) { return key(a) == key(b); }),
              order.end());
  std::sort(order.begin(), order.end());
  return points(order, Eigen::all);
}

float squared_gap(const LeafGroup& group, const float* place) {
  float square = 0.0F;
  for (int c = 0; c < 3; ++c) {
    const float gap = std::max({0.0F, group.low[c] - place[c], place[c] - group.high[c]});
    square += gap * gap;
  }
  return square;
}

void look_into(const LeafGroup& group, const float* place, detail::NearestNeighbours& found) {
  float offsets[3][kGroup], squares[kGroup];
  for (int j = 0; j < kGroup; ++j) {
    for (int c = 0; c < 3; ++c) offsets[c][j] = group.at[c][j] - place[c];
    squares[j] = offsets[0][j] * offsets[0][j] + offsets[1][j] * offsets[1][j] +
                 offsets[2][j] * offsets[2][j];
  }
  for (int j = 0; j < kGroup; ++j) {
    if (squares[j] >= found.farthest() || squares[j] == 0.0F) continue;
    const float offset[3] = {offsets[0][j], offsets[1][j], offsets[2][j]};
    found.add(squares[j], offset);
  }
}

using Around = std::array<detail::NearestNeighbours, kGroup>;

/// Finds the nearest neighbours of the points at `places`, which are those of groups[own].
void find_neighbours(const PointsView& places, const std::vector<LeafGroup>& groups,
                     std::size_t own, std::vector<const LeafGroup*>& near, Around& around) {
  float farthest = 0.0F;
  for (int i = 0; i < places.rows(); ++i) {
    around[i] = {};
    look_into(groups[own], places.row(i).data(), around[i]);
    farthest = std::max(farthest, around[i].farthest());
  }
  find_groups_near(groups[own], groups, std::sqrt(farthest), near);
  for (int i = 0; i < places.rows(); ++i) {
    const float* place = places.row(i).data();
    for (const LeafGroup* group : near) {
      if (group != &groups[own] && squared_gap(*group, place) < around[i].farthest()) {
        look_into(*group, place, around[i]);
      }
    }
  }
}

}  // namespace

std::vector<SurfacePatch> surface_patches(const PointsView& leaves) {
  const Points places = different_points(leaves);
  std::vector<SurfacePatch> patches;
  if (places.rows() <= detail::kPatchNeighbours) return patches;
  const auto groups = leaf_groups(places);
  patches.reserve(static_cast<std::size_t>(places.rows()));
  std::vector<const LeafGroup*> near;
  Around around;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto first = static_cast<Eigen::Index>(g) * kGroup;
    const auto members = static_cast<int>(std::min<Eigen::Index>(kGroup, places.rows() - first));
    find_neighbours(places.middleRows(first, members), groups, g, near, around);
    side_by_side::Matrices covariances;
    for (int i = 0; i < members; ++i) covariances.set(i, around[i].covariance());
    side_by_side::diagonalise(covariances);
    for (int i = 0; i < members; ++i) patches.push_back(around[i].patch(covariances.eigen(i)));
  }
  return patches;
}

std::vector<SurfacePatch> moved(std::vector<SurfacePatch> patches, const Eigen::Matrix3d& linear) {
  const Eigen::FullPivLU<Eigen::Matrix3d> map(linear);
  if (!map.isInvertible()) return {};
  const Eigen::Matrix3f inverse = map.inverse().cast<float>();
  for (SurfacePatch& patch : patches) {
    Eigen::Map<Eigen::Vector3f> normal(patch.normal);
    normal = (inverse * normal).eval();
    // A patch grows by the factor by which the inverse lengthens its normal, times the determinant.
    patch.density -= std::log(normal.squaredNorm());
    normal.normalize();
  }
  return patches;
}

void write_surface_patches(const std::vector<SurfacePatch>& patches, float* values) {
  double sums[detail::kPatchSums] = {};
  for (const SurfacePatch& patch : patches) detail::add_patch(patch, sums);
  detail::write_surface_patches(sums, [&](int k, float value) { values[k] = value; });
}

}  // namespace pointtree::geometry
